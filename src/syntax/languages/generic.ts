/** The defaults that every profile starts from: what most grammars have in common. */
import type { Kinds, LanguageFacts, LanguageProfile, Tokens, Writing } from './profile.js';

/** One pattern per role, over the names that grammars use for the same things. */
export const kinds: Kinds = {
  identifier:
    /identifier|(^|_)name$|^Name$|^(word|constant|variable|label|symbol|atom|simple_symbol|bare_key|custom_property_name|instance_variable|class_variable|global_variable|shorthand_property_identifier)$/,
  member: /^(private_)?property_identifier$/,
  signedName: /^variable_name$/,
  shorthand: /^shorthand/,
  comment: /^(?!.*directive).*comment/i,
  attribute: /^attribute_item$/,
  textLiteral:
    /^(string|char|raw_string|interpreted_string|template_string|quoted_attribute_value|regex|heredoc)|(^|_)(string|char|character)(_literal)?$/,
  numberLiteral:
    /^(number|integer|float|decimal|numeric)|(^|_)(number|integer|int|float|numeric)(_(literal|scalar|value))?$/,
  typeName: /^(type_identifier|primitive_type|predefined_type|builtin_type|tag_name|type_name)$/,

  introducing:
    /parameter|import|declarat|definition|_item$|specifier|enumerator|^(label|package_clause|identifier_list|lambda|let_|field_|module_name)/,
  introducingAnywhere: /parameter|import|identifier_list|declarator|enumerator/,
  referring:
    /call|invocation|access|selector|argument|template_type|template_function|qualified|scoped|nested|generic|member|subscript|update|return|binary|unary|field_expression|base_class|pair$|jsx/,
  opaque: /block|body|compound_statement|function|method|lambda|arrow|closure|suite|clause$/,
  tagPart: /^(start_tag|STag|attribute|Attribute)$/,

  scopedFunction: /^(?!.*(?:declarator|type|parameters$)).*(?:function|method|lambda|arrow|closure|constructor)/,
  scopedBlock:
    /^(compound_statement|statement_block|block|suite|do_block|body_statement|for_statement|for_in_statement|catch_clause)$/,
  classOrModule: /^(class|module)/,
  class: /^class/,
  namespace: /namespace|^(module|internal_module|mod_item)/,

  function: /function|method|lambda|arrow|closure|func_literal/,
  generator: /generator/,
  namedFunction: /declaration|definition|_item$|^method/,
  body: /^(statement_block|compound_statement|block|body_statement|suite|do_block|function_body|constructor_body)$/,
  bodyClause: /clause$/,
  noStatement: /^(pass_statement|empty_statement)$/,
  return: /^return/,
  leaving: /^(return|yield)/,
  jump: /^(return|throw|raise|break|continue|goto|next)(_|$)/,
  noValue: /statement|declaration|assignment|_item$/,
  typedParameter: /^typed_parameter$/,
  pattern: /pattern$/,
  declared: /declar/,

  call: /call|invocation/,
  arguments: /argument/,
  argument: /^argument$/,
  loneArgument: /spread|splat|keyword|named|label/,
  parameters: /param/,
  declarator: /declarator/,
  parenthesized: /^parenthesized/,

  listed:
    /^(?!.*(?:block|body|list$|compound))(?:.*(?:statement|declaration|definition|_item$)|(?:item|pair|attribute|Attribute|element|rule_set|import|method|function|class|list_item|block_mapping_pair|for_range_loop))/,
  declarationWrapper:
    /^(template_declaration|export_statement|decorated_definition|linkage_specification|ambient_declaration)$/,
  importing: /import|using|^use_/,
  declaring: /declarat|specifier|clause|spec$|assignment/,
  access:
    /call|invocation|instantiation|member|field_expression|subscript|template_(type|function)|generic|qualified|scoped|new_expression|attribute/,
  memberAccess: /member|^attribute$|field_expression|selector|access/,
  memberExpression: /^member_expression$/,
  place: /member|subscript|field_expression|attribute|index_expression/,
  alias: /alias|type_definition|typedef|type_item/,
  compactValue: /call|member|type/,
  nameless: /subscript|computed|pattern/,

  tight:
    /identifier|literal|^(string|number|integer|float|char|name|variable_name|true|false|null|none|None|this|self|super|regex|template_string|array|list|tuple|dictionary|set|call|attribute|parenthesized_\w+|tuple_expression|interpolated_string\w*)$|call_expression|invocation|^function_call|member|field_expression|subscript|index_expression|_call$|_access/,
  construction: /^(new|object_creation)_expression$/,
  statementLike: /^(function_expression|generator_function|class|object|anonymous_function\w*)$/,
  around:
    /argument|parenthesized|assignment|declarator|^(array|list|pair|return_statement|return_expression|expression_statement|expression_list|let_declaration|short_var_declaration|subscript_argument_list|template_substitution|jsx_expression|initializer_list|default_parameter|keyword_argument)$/,
  opensStatement: /^(expression_statement|arrow_function)$/,
  expressionStatement: /^expression_statement$/,
  binary: /^binary_(expression|operator)$/,

  assignment: /^(assignment(_expression)?|assignment_statement)$/,
  assigning: /assign|for_in|for_range|enhanced_for|short_var|operator_assignment/,
  counting: /update|postfix|prefix|inc_|dec_|pointer_expression|reference_expression/,
  targets: /^(expression_list|variable_list|pattern_list|array_pattern|tuple_pattern)$/,
  nameWithValue: /^(variable_declarator|init_declarator|pair)$/,
  variable: /^(variable_declarator|init_declarator)$/,
  pair: /^(pair|flow_pair|block_mapping_pair)$/,
  holdsAssignment: /^(expression_statement|sequence_expression|comma_expression)$/,
  sequence: /^(sequence_expression|comma_expression)$/,

  statementList:
    /^(program|module|source_file|chunk|statement_block|compound_statement|block|body_statement|statements|switch_case|switch_default|case_statement|then|else|do)$/,
  collection:
    /^(array|list|object|dictionary|set|hash|table_constructor|initializer_list|enumerator_list|array_expression|array_creation_expression|literal_value|composite_literal|flow_sequence|flow_mapping)$/,
  indented: /^block_(mapping|sequence)$/,
  transparent:
    /^(parenthesized_expression|unary_expression|expression_statement|non_null_expression|await_expression)$/,
  holdsStatement: /statement|clause|^for_range_loop$/,
  statement: /statement$|^for_range_loop$/,
  separable:
    /^(?!.*(?:parameter|compound_|body_|block_)).*(?:statement|declaration|definition|_item)$|^(?:else|elif|else_if|catch|finally|except|case)_clause$|^(?:expression|default|type)_case$|^(?:pair|rule_set|enumerator|spread_element|switch_case|switch_default|switch_entry|when|rescue|ensure|class|module|method|singleton_method|match_arm|enum_variant|enum_constant|field_initializer|initializer_pair|block_mapping_pair|block_sequence_item|property_signature|method_signature|for_range_loop)$|^preproc_(?:if|ifdef|else|elif|elifdef|include|def|function_def|call)$/,
  elseBranch: /else/,

  tag: /^(start_tag|end_tag|STag|ETag|jsx_(opening|closing)_(element|fragment))$/,
  endTag: /^(end_tag|ETag)$/,
  element: /element$/,
  rawElement: /^(script_element|style_element)$/,

  importStatement: /^(import|import_from)_statement$/,
  namesStatement: /^(import|export)\w*_statement$|_declaration$/,
  imported: /^(import|use_|using_)|include|^export_(specifier|clause)$/,
  notImported: /statement|declaration|definition|block|body/,
  requiredNames: /^object_pattern$/,
  macro: /^preproc_(function_)?def$/,

  item: /^item$/,
  bracketPart: /^(item|group)$/,
};

export const tokens: Tokens = {
  paired: /^[()[\]{}"'`<>]|^(<\/|\/>|\$\{|#\{|begin|end|do|then|fi|done|esac)$/,
  separator: /^[,;|&+*/:.]$|^(&&|\|\||\?\?|and|or|::|\n)$/,
  opening: /^([([{<"'`]|\[\[|\$\(|\$\{|#\{|begin|do|then|\|)/,
  qualifier: String.raw`(?:::|\\|\.)`,
  declaringWords:
    /^(let|const|var|val|fn|func|fun|def|function|class|struct|enum|union|type|interface|trait|import|using|typedef|namespace|module|auto|local|template)$/,
  builtIn: new Set(['int', 'any', 'u8', 'pass', 'var', 'let', 'mut', 'local']),
};

/** Statements before another one: nothing between them if they end with a terminator, else a line break. */
const beforeByEnd: Writing['before'] = statements => (/[;{}]\s*$/.test(statements) ? statements : `${statements}\n`);

/** The same for languages in which a line break ends a statement, whatever is at its end. */
export const beforeByLine: Writing['before'] = statements => `${statements}\n`;

/** The smallest text of a kind, in most languages. */
const constants: Writing['constants'] = [
  [/^predefined_type$/, 'int'],
  [
    /^(number|integer|int|number_literal|integer_literal|int_literal|decimal_integer_literal|integer_value|numeric_lit|long_literal|float|float_literal|real_literal|decimal_floating_point_literal|float_value)$/,
    '0',
  ],
  [
    /^(identifier|simple_identifier|field_identifier|property_identifier|type_identifier|namespace_identifier|statement_identifier|variable_name|word|name|constant|bare_key|plain_value|tag_name|class_name|id_name|function_name)$/,
    'a',
  ],
  [/^(string|string_literal|interpreted_string_literal|line_string_literal|encapsed_string|string_value)$/, '""'],
  [
    /^(compound_statement|statement_block|block|class_body|declaration_list|field_declaration_list|enum_body|interface_body|object|object_type|function_body|enumerator_list|switch_body)$/,
    '{}',
  ],
  [/^(array|array_expression|list|list_expression)$/, '[]'],
  [
    /^(argument_list|arguments|parameter_list|formal_parameters|parameters|method_parameters|value_arguments|unit_expression)$/,
    '()',
  ],
  [/^empty_statement$/, ';'],
  [/^(primitive_type|integral_type|sized_type_specifier)$/, 'int'],
];

/** For languages whose blocks and objects have no brackets: an empty one can't be written. */
export const withoutBrackets: Writing['constants'] = [[/^(block|object|function_body)$/, undefined], ...constants];

/** The constants of a language: its own come first. */
export const withConstants = (
  own: Writing['constants'],
  others: Writing['constants'] = constants,
): Writing['constants'] => [...own, ...others];

const writing: Writing = {
  constants,
  synonyms: [],
  defaults: [
    ['number', '0'],
    ['number_literal', '0'],
    ['integer', '0'],
    ['integer_literal', '0'],
    ['int_literal', '0'],
    ['decimal_integer_literal', '0'],
    ['predefined_type', 'any'],
    ['primitive_type', 'int'],
    ['integral_type', 'int'],
  ],
  embeds: {
    raw_text(builder, node) {
      const opening = builder.text.slice(builder.startOf(builder.parentOf(node)), builder.startOf(node));
      const lang = /\blang\s*=\s*["']?(\w+)/.exec(opening)?.[1];
      if (/^<style/i.test(opening)) return lang === 'scss' || lang === 'less' ? 'scss' : 'css';
      if (/^<script/i.test(opening)) return lang === 'ts' || lang === 'tsx' ? 'typescript' : 'javascript';
      return undefined;
    },
    attribute_value: attributeWith(/^(v-|:|@|#|on:|bind:)/),
    AttValue: () => 'brackets',
    CharData: () => 'brackets',
    code_fence_content(builder, node) {
      const fence = builder.text.slice(Math.max(0, builder.startOf(node) - 80), builder.startOf(node));
      return /(?:```|~~~)[ \t]*([\w#+-]+)[^\n]*\n$/.exec(fence)?.[1];
    },
  },
  lastIsValue: false,
  mayBeEmpty: true,
  statementEnd: ';',
  declare: (parameter, _, value) => `${parameter}=${value};`,
  before: beforeByEnd,
};

/** Attributes with such a name contain a script; all others are structured by brackets. */
export function attributeWith(script: RegExp): Writing['embeds'][string] {
  return (builder, node) => {
    const before = builder.text.slice(Math.max(0, builder.startOf(node) - 60), builder.startOf(node));
    const name = /([^\s"'<>=]+)\s*=\s*["']?$/.exec(before)?.[1] ?? '';
    return script.test(name) ? 'javascript' : 'brackets';
  };
}

/** What a profile changes: its facts, how it writes, and the kinds and tokens that differ. */
export type Changes = LanguageFacts &
  Partial<Writing> & {
    readonly kinds?: Partial<Kinds>;
    readonly tokens?: Partial<Tokens>;
  };

/** A whole profile: the defaults, overridden by what a language says about itself. */
export const profile = (own: Changes): LanguageProfile => ({
  ...writing,
  ...own,
  embeds: { ...writing.embeds, ...own.embeds },
  kinds: { ...kinds, ...own.kinds },
  tokens: { ...tokens, ...own.tokens },
});

/** Languages with names, and comments as in C. */
export const code = { names: true, comments: ['//', '/*'] } as const;
/** Languages with names, and comments as in a shell. */
export const hash = { names: true, comments: ['#'] } as const;
