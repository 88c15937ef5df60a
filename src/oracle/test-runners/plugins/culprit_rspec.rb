# For RSpec's --require: runs the examples of the plan in its order, and writes down how each of them ended.
require "json"

module Culprit
  PLAN = JSON.parse(File.read(ENV.fetch("CULPRIT_TESTS"), encoding: "utf-8"))
  ARRANGEMENT = PLAN["arrangement"]
  PLACES = (ARRANGEMENT || []).flat_map { |part| part["tests"].map { |name| [part["file"], name] } }.each_with_index.to_h
  # What Ruby and RSpec bring along is not the program's own.
  KNOWN = Object.constants
  SKIPPED = %w[node_modules .git .culprit culprit-plan].freeze

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

    def snapshot
      paths = Dir.glob("**/*", File::FNM_DOTMATCH).reject { |path| SKIPPED.any? { |name| path.split("/").include?(name) } }
      files = paths.select { |path| File.file?(path) }.to_h { |path| [path, [File.size(path), File.mtime(path).to_f].to_s] }
      names = global_variables.reject { |name| %i[$! $@ $~ $& $` $' $+ $_ $. $, $; $/ $\ $< $> $FILENAME].include?(name) }
      globals = names.to_h { |name| [name.to_s, inspected(eval(name.to_s))] }
      constants = (Object.constants - KNOWN - [:Culprit]).to_h { |name| [name.to_s, state_of(name)] }
      { "environment variable" => ENV.to_h, "global" => globals, "constant" => constants, "file" => files }
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

    def before(example)
      return unless PLAN["watch"]

      target = PLAN["target"]
      if key(example) == [target["file"], target["name"]]
        write({ left: difference(@before, snapshot) }) if @before
      else
        @before ||= snapshot
      end
    end

    def difference(old, now)
      now.flat_map do |kind, values|
        (old[kind].keys | values.keys).sort.filter_map do |name|
          was, is = old[kind][name], values[name]
          next if was == is

          { kind: kind, name: name, change: was.nil? ? "added" : is.nil? ? "removed" : "changed" }
        end
      end
    end
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
    RSpec::Core::Formatters.register self, :example_started, :example_passed, :example_failed

    def initialize(_output); end

    def example_started(notification) = Culprit.before(notification.example)
    def example_passed(notification) = Culprit.ended(notification.example, "passed")
    def example_failed(notification) = Culprit.ended(notification.example, "failed")
  end
end

RSpec::Core::World.prepend(Culprit::InOrder)
