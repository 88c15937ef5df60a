/** The roles that kinds of nodes can have. */

/**
 * What a kind of node is for. Grammars use nearly the same names for the same things, so one pattern per role works for
 * most of them (`generic.ts`); a language that differs says so in its own profile.
 */
export interface Kinds {
  /** A name: of a variable, a type, a property, a label … */
  readonly identifier: RegExp;
  /** The name of a property, which belongs to no scope. */
  readonly member: RegExp;
  /** A name with a prefix that belongs to it: PHP's `$a`. */
  readonly signedName: RegExp;
  /** Both a property and the variable of the same name: `{ a }`. */
  readonly shorthand: RegExp;
  readonly comment: RegExp;
  /** What stands before a declaration as a node of its own, and is about it: `#[derive(Debug)]`. */
  readonly attribute: RegExp;
  /** A string literal, for colours. */
  readonly textLiteral: RegExp;
  /** A literal number, for colours. */
  readonly numberLiteral: RegExp;
  /** The name of a type or a tag, for colours. */
  readonly typeName: RegExp;

  /** A node that introduces the name in its naming fields. */
  readonly introducing: RegExp;
  /** A node that introduces a name outside such fields too. */
  readonly introducingAnywhere: RegExp;
  /** A node that only refers to the names in it. */
  readonly referring: RegExp;
  /** A name inside such a node does not name what contains the node. */
  readonly opaque: RegExp;
  /** A tag, or an attribute in it: its names are not declarations. */
  readonly tagPart: RegExp;

  /** A function with its own scope for parameters. */
  readonly scopedFunction: RegExp;
  /** A block with its own scope. */
  readonly scopedBlock: RegExp;
  /** A class or module, whose block is not a scope for what it declares. */
  readonly classOrModule: RegExp;
  readonly class: RegExp;
  /** A namespace or module that wraps declarations and gives their names a qualifier. */
  readonly namespace: RegExp;

  readonly function: RegExp;
  /** A function whose end the tree does not show: a generator. */
  readonly generator: RegExp;
  /** A declaration of a function that has its name in a field. */
  readonly namedFunction: RegExp;
  /** The body of a function, if it is a list of statements. */
  readonly body: RegExp;
  /** The body of a function, if it is a clause around one expression. */
  readonly bodyClause: RegExp;
  /** A statement that does nothing. */
  readonly noStatement: RegExp;
  readonly return: RegExp;
  /** A statement that can end a function early. */
  readonly leaving: RegExp;
  /** Nothing behind it in the same block runs. */
  readonly jump: RegExp;
  /** Not a value, even as the last thing in a body. */
  readonly noValue: RegExp;
  /** A parameter that has its name as the first child. */
  readonly typedParameter: RegExp;
  /** Something that takes a value apart. */
  readonly pattern: RegExp;
  /** Written like a pointer or a rest parameter, but declares a name. */
  readonly declared: RegExp;

  readonly call: RegExp;
  /** A list of arguments. */
  readonly arguments: RegExp;
  /** A node around a single argument. */
  readonly argument: RegExp;
  /** An argument that does not belong to the parameter at its position. */
  readonly loneArgument: RegExp;
  /** A list of parameters. */
  readonly parameters: RegExp;
  /** What may be between a function and its parameters. */
  readonly declarator: RegExp;
  readonly parenthesized: RegExp;

  /** A statement or member in a list, which is removed as a whole. */
  readonly listed: RegExp;
  /** A declaration that wraps another one, and means nothing without it. */
  readonly declarationWrapper: RegExp;
  /** An import statement, which means nothing without what it imports. */
  readonly importing: RegExp;
  /** What declares something inside a declaration. */
  readonly declaring: RegExp;
  /** A call, instantiation or access, which makes no sense without what it starts with. */
  readonly access: RegExp;
  /** `a.b`: an access by name. */
  readonly memberAccess: RegExp;
  /** `a.b` in JavaScript, which can be an export. */
  readonly memberExpression: RegExp;
  /** `a.b` or `a[0]`: a place that can be assigned to. */
  readonly place: RegExp;
  /** An alias of a type, whose value is the type. */
  readonly alias: RegExp;
  /** A value that can be moved without brackets around it. */
  readonly compactValue: RegExp;
  /** What a function without a name is assigned to: `a[b]`, a pattern. */
  readonly nameless: RegExp;

  /** An expression that binds so tightly that it can be used anywhere in another one. */
  readonly tight: RegExp;
  /** `new A`, which binds tightly only with its arguments. */
  readonly construction: RegExp;
  /** An expression that would be read as a statement at the start of one. */
  readonly statementLike: RegExp;
  /** A node that contains a whole expression, so that nothing binds to a part of it. */
  readonly around: RegExp;
  /** What an expression can be the beginning of: a statement, or the body of an arrow function. */
  readonly opensStatement: RegExp;
  readonly expressionStatement: RegExp;
  /** `a + b` */
  readonly binary: RegExp;

  /** `a = b` */
  readonly assignment: RegExp;
  /** Any node that gives a value to what is in its `left`, `pattern` or `name`. */
  readonly assigning: RegExp;
  /** `a++`, `&a`: its operand is written to. */
  readonly counting: RegExp;
  /** A list on the left side of an assignment. */
  readonly targets: RegExp;
  /** A declarator or pair: a name with its value. */
  readonly nameWithValue: RegExp;
  /** The same, without pairs. */
  readonly variable: RegExp;
  /** A key with its value. */
  readonly pair: RegExp;
  /** A node from which an assignment can be extracted as a whole. */
  readonly holdsAssignment: RegExp;
  /** Expressions of which only the last one has a value that is used. */
  readonly sequence: RegExp;

  /** A node that holds statements one after the other. */
  readonly statementList: RegExp;
  /** A value that holds any number of items, between separators: an array, an object, a list of initialisers. */
  readonly collection: RegExp;
  /** The same without brackets and commas: each item is on lines of its own. */
  readonly indented: RegExp;
  /** A node that adds nothing to the value of its only part. */
  readonly transparent: RegExp;
  /** A node that may hold a single statement: `if`, `else`, `while` … */
  readonly holdsStatement: RegExp;
  readonly statement: RegExp;
  /** What can be left out as a whole if it is on lines of its own: a statement, a member, a case, a condition of the preprocessor. */
  readonly separable: RegExp;
  /** A branch with a single statement but no field for it. */
  readonly elseBranch: RegExp;

  /** An opening or closing tag, which makes no sense without its other half. */
  readonly tag: RegExp;
  readonly endTag: RegExp;
  /** An element with its tags. */
  readonly element: RegExp;
  /** An element that holds text in another language. */
  readonly rawElement: RegExp;

  /** An import statement that a whole file can replace. */
  readonly importStatement: RegExp;
  /** A statement that imports, re-exports or declares names, one or several. */
  readonly namesStatement: RegExp;
  /** A node in an import or a re-export. */
  readonly imported: RegExp;
  /** A node outside which a name is in no import. */
  readonly notImported: RegExp;
  /** A pattern that takes names out of a call of `require`. */
  readonly requiredNames: RegExp;
  /** A macro, which is declared for all files that include it. */
  readonly macro: RegExp;

  /** In the bracket tree: an item between separators. */
  readonly item: RegExp;
  /** In the bracket tree: what may be a text by itself. */
  readonly bracketPart: RegExp;
}

export type Role = keyof Kinds;
