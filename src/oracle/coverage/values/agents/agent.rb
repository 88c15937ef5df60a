# Loaded by Ruby before the program starts: collects the values that its expressions report, and writes them down when it ends.
module CulpritValues
  NONE = Object.new
  SEEN = {}
  LONGEST = 60

  def self.plain?(value)
    case value
    when nil, true, false, Integer, Float, String, Symbol then true
    else false
    end
  end

  def self.seen(number, value)
    known = SEEN.fetch(number, SEEN)
    if SEEN.equal?(known)
      SEEN[number] = plain?(value) ? (String === value ? value.dup : value) : NONE
    elsif !NONE.equal?(known) && !(known.class == value.class && known.eql?(value))
      SEEN[number] = NONE
    end
    value
  end

  def self.literal(value)
    return nil if NONE.equal?(value) || (Float === value && !value.finite?)
    text = value.inspect
    text.length <= LONGEST + 2 && text.ascii_only? ? text : nil
  end

  def self.write
    require 'json'
    path = File.join(ENV['CULPRIT_VALUES'], "values-#{Process.pid}-#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)}.json")
    File.write(path, JSON.generate(SEEN.map { |number, value| [number, literal(value)] }))
  rescue StandardError, ScriptError
    # The program must end as it would without this.
  end
end

module Kernel
  private

  def __culprit_value(number, value)
    CulpritValues.seen(number, value)
  end
end

at_exit { CulpritValues.write }
