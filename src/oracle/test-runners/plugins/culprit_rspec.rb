# For RSpec's --require: runs the examples of the plan in its order, and writes down how each of them ended.
require "json"
require "zlib"

module Culprit
  PLAN = JSON.parse(File.read(ENV.fetch("CULPRIT_TESTS"), encoding: "utf-8"))
  ARRANGEMENT = PLAN["arrangement"]
  PLACES = (ARRANGEMENT || []).flat_map { |part| part["tests"].map { |name| [part["file"], name] } }.each_with_index.to_h
  # What Ruby and RSpec bring along is not the program's own.
  KNOWN = Object.constants
  SKIPPED = %w[node_modules .git .culprit culprit-plan].freeze
  # Looking at files costs time: so many may be looked at between examples, and so many more between top-level groups.
  MOST_BETWEEN_TESTS = 200_000
  MOST_BETWEEN_FILES = 1_000_000

  class << self
    def file_of(metadata)
      metadata[:rerun_file_path].delete_prefix("./")
    end

    # Titles from the outermost group to the example. An example without a title is known by its number in the file.
    def name_of(example)
      @names ||= {}
      @names[example.id] ||= begin
        groups = example.example_group.parent_groups.reverse.map(&:description)
        own = example.metadata[:description_args].empty? ? "example #{example.metadata[:scoped_id]}" : example.description
        name = [*groups, own].join(" › ")
        @met ||= Hash.new(0)
        count = (@met[[file_of(example.metadata), name]] += 1)
        count == 1 ? name : "#{name} (#{count})"
      end
    end

    def key(example)
      [file_of(example.metadata), name_of(example)]
    end

    def place(item)
      return PLACES.fetch(key(item), PLACES.size) if item.is_a?(RSpec::Core::Example)

      item.descendant_filtered_examples.map { |example| place(example) }.min || PLACES.size
    end

    def choose
      RSpec.world.all_example_groups.each { |group| group.examples.each { |example| name_of(example) } }
      return unless ARRANGEMENT

      chosen = RSpec.world.filtered_examples
      RSpec.world.all_example_groups.each { |group| chosen[group] = chosen[group].select { |each| PLACES.key?(key(each)) } }
    end

    def order(items)
      ARRANGEMENT ? items.sort_by.with_index { |item, i| [place(item), i] } : items
    end

    def write(line)
      File.write(PLAN["results"], "#{JSON.generate(line)}\n", mode: "a") if PLAN["results"]
    end

    def ended(example, state)
      file, name = key(example)
      error = example.execution_result.exception
      message = error && "#{error.class}: #{error.message.strip}"[0, 2000]
      write({ file: file, name: name, state: state, message: message }.compact)
    end

    def all_files
      paths = Dir.glob("**/*", File::FNM_DOTMATCH).reject { |path| SKIPPED.any? { |name| path.split("/").include?(name) } }
      @looked += paths.size
      paths.select { |path| File.file?(path) }.to_h { |path| [path, [File.size(path), File.mtime(path).to_f].to_s] }
    end

    def in_memory
      names = global_variables.reject { |name| %i[$! $@ $~ $& $` $' $+ $_ $. $, $; $/ $\ $< $> $FILENAME].include?(name) }
      globals = names.to_h { |name| [name.to_s, inspected(eval(name.to_s))] }
      constants = (Object.constants - KNOWN - [:Culprit]).to_h { |name| [name.to_s, state_of(name)] }
      { "environment variable" => ENV.to_h, "global" => globals, "constant" => constants }
    end

    # The variables of the program's own classes and modules: a cache, a registry, a current user.
    def state_of(name)
      return "" if Object.autoload?(name)

      value = Object.const_get(name)
      return inspected(value) unless value.is_a?(Module)

      values = value.instance_variables.map { |each| inspected(value.instance_variable_get(each)) }
      values += value.class_variables(false).map { |each| inspected(value.class_variable_get(each)) }
      values.join(" ")
    rescue StandardError, LoadError
      ""
    end

    def inspected(value)
      case value
      when String, Symbol, Numeric, true, false, nil, Array, Hash then value.inspect[0, 2000]
      else value.class.name.to_s
      end
    end

    # Writes down what the example that ran since the last look has changed. Without an example: at the edge of a group.
    def look(example, is_between_files)
      return unless PLAN["watch"]

      @looked ||= 0
      is_affordable = @looked <= (is_between_files ? MOST_BETWEEN_FILES : MOST_BETWEEN_TESTS)
      now = in_memory.merge("file" => @last.nil? || is_affordable ? all_files : @last["file"])
      by = @owner || example
      if @last && by
        changes = difference(@last, now)
        file, name = key(by)
        write({ by: { file: file, name: name }, session: Process.pid.to_s, changes: changes }) unless changes.empty?
      end
      @owner = example
      # What happens between two groups belongs to the next example: its group sets something up.
      @last = now if by || @last.nil?
    end

    # Each change as its kind, its name, and the value before and after: a missing value is nil.
    def difference(old, now)
      now.flat_map do |kind, values|
        (old[kind].keys | values.keys).sort.filter_map do |name|
          was, is = old[kind][name], values[name]
          [kind, name, digest(was), digest(is)] unless was == is
        end
      end
    end

    # Values are only compared: what is in them is nobody's business.
    def digest(value) = value && "#{Zlib.crc32(value)}.#{value.length}"
  end

  # The last moment before the order is settled: what the project's own configuration says comes before.
  module InOrder
    def ordered_example_groups
      Culprit.choose
      strategy = Object.new
      def strategy.order(items) = Culprit.order(items)
      def strategy.used? = false
      RSpec.configuration.ordering_registry.register(:global, strategy)
      RSpec.configuration.ordering_registry.register(:random, strategy)
      super
    end
  end

  class Results
    RSpec::Core::Formatters.register self, :example_group_started, :example_group_finished,
                                    :example_started, :example_passed, :example_failed

    def initialize(_output); end

    def example_group_started(notification) = Culprit.look(nil, notification.group.top_level?)
    def example_group_finished(notification) = Culprit.look(nil, notification.group.top_level?)
    def example_started(notification) = Culprit.look(notification.example, false)
    def example_passed(notification) = Culprit.ended(notification.example, "passed")
    def example_failed(notification) = Culprit.ended(notification.example, "failed")
  end
end

RSpec::Core::World.prepend(Culprit::InOrder)
