# Loaded by Ruby before the program starts: notes the lines that run, and writes them down when the process ends.
# Ruby's own `Coverage` does not see the script that is started, so steps are traced.
module CulpritCoverage
  FOLDER = ENV['CULPRIT_COVERAGE'].to_s
  START = Dir.pwd
  # Files of Ruby, of installed gems, and this one.
  def self.others
    own = defined?(RbConfig) ? RbConfig::CONFIG.values_at('rubylibdir', 'vendordir', 'sitedir') : []
    gems = defined?(Gem) ? Gem.path : []
    [*own, *gems, FOLDER].compact.map { |folder| File.join(File.exist?(folder) ? File.realpath(folder) : folder, '') }
  end

  RAN = Hash.new { |all, path| all[path] = {} }
  STEPS = TracePoint.new(:line) { |point| RAN[point.path][point.lineno] = true }

  def self.report
    STEPS.disable
    foreign = others
    File.open(File.join(FOLDER, "ruby-#{Process.pid}-#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)}.txt"), 'w') do |file|
      RAN.each do |name, lines|
        path = File.expand_path(name, START)
        next unless File.file?(path)
        path = File.realpath(path)
        next if foreign.any? { |folder| path.start_with?(folder) }
        file.puts "file #{path}", "ran #{lines.keys.sort.join(' ')}"
        write(file, path)
      end
    end
  rescue StandardError, ScriptError
    # The program must end as it would without this.
  end

  # The lines that can have a step, and the methods. Only the usual Ruby shows its instructions.
  def self.write(file, path)
    return unless defined?(RubyVM::InstructionSequence)
    listed = []
    walk(RubyVM::InstructionSequence.compile_file(path)) do |instructions|
      events = instructions.trace_points
      listed.concat(events.select { |_, event| event == :line }.map(&:first))
      next unless events.any? { |_, event| event == :call }
      first, _, last, = instructions.to_a[4][:code_location]
      file.puts "scope #{first} #{last}"
    end
    file.puts "listed #{listed.uniq.sort.join(' ')}"
  end

  def self.walk(instructions, &visit)
    visit.call(instructions)
    instructions.each_child { |inner| walk(inner, &visit) }
  end
end

at_exit do
  verbose, $VERBOSE = $VERBOSE, nil
  CulpritCoverage.report
  $VERBOSE = verbose
end
CulpritCoverage::STEPS.enable
