/** What one source file imports, declares and touches, read from its syntax tree (never from its text: comments may say anything). */
import type { Node } from 'oxc-parser'
import { parseSync, visitorKeys } from 'oxc-parser'

export interface Import {
  /** As written: './a.ts', 'node:fs', 'yaml'. */
  readonly from: string
  readonly typeOnly: boolean
  /** `import { type A }`: the module is loaded at run time for a type. */
  readonly inlineType: boolean
  readonly names: readonly string[]
}

export interface ParsedModule {
  readonly imports: readonly Import[]
  readonly nodes: readonly Node[]
  /** Exported constants declared as `: Source`. */
  readonly sources: readonly string[]
  /** Classes that extend something whose name ends in Error. */
  readonly errorClasses: readonly string[]
}

/** @throws Error when the file is not TypeScript. */
export function parseModule(path: string, text: string): ParsedModule {
  const parsed = parseSync(path, text)
  const broken = parsed.errors.find((error) => error.severity === 'Error')
  if (broken !== undefined) throw new Error(`${path}: ${broken.message}`)
  const nodes = [...walk(parsed.program)]
  return { imports: nodes.flatMap(importOf), nodes, sources: nodes.flatMap(sourceOf), errorClasses: nodes.flatMap(errorClassOf) }
}

function* walk(node: Node): Generator<Node> {
  yield node
  const fields = node as unknown as Record<string, unknown>
  for (const key of visitorKeys[node.type] ?? []) {
    const value = fields[key]
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* walk(child)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function literal(node: Node | null | undefined): string[] {
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}

function importOf(node: Node): Import[] {
  const plain = { typeOnly: false, inlineType: false, names: [] }
  switch (node.type) {
    case 'ImportDeclaration': {
      const named = node.specifiers.filter((s) => s.type === 'ImportSpecifier')
      const names = named.map((s) => (s.imported.type === 'Identifier' ? s.imported.name : String(s.imported.value)))
      const typeOnly = node.importKind === 'type'
      return [{ from: node.source.value, typeOnly, inlineType: named.some((s) => s.importKind === 'type'), names }]
    }
    case 'ExportNamedDeclaration': {
      if (node.source === null) return []
      const inlineType = node.specifiers.some((s) => s.exportKind === 'type')
      return [{ from: node.source.value, typeOnly: node.exportKind === 'type', inlineType, names: [] }]
    }
    case 'ExportAllDeclaration':
      return [{ ...plain, from: node.source.value, typeOnly: node.exportKind === 'type' }]
    case 'ImportExpression':
      return literal(node.source).map((from) => ({ ...plain, from }))
    case 'TSImportType':
      return [{ ...plain, from: node.source.value, typeOnly: true }]
    case 'CallExpression':
      // require('x'), createRequire(…)('x') held in a name, require.resolve('x'), import.meta.resolve('x')
      return isRequire(node.callee) ? literal(node.arguments[0]).map((from) => ({ ...plain, from })) : []
    default:
      return []
  }
}

function isRequire(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require'
  if (callee.type === 'CallExpression') return callee.callee.type === 'Identifier' && callee.callee.name === 'createRequire'
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.name !== 'resolve') return false
  return callee.object.type === 'MetaProperty' || isRequire(callee.object)
}

function sourceOf(node: Node): string[] {
  if (node.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'VariableDeclaration') return []
  return node.declaration.declarations.flatMap(({ id }) => {
    if (id.type !== 'Identifier') return []
    const type = id.typeAnnotation?.typeAnnotation
    return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'Source' ? [id.name] : []
  })
}

function errorClassOf(node: Node): string[] {
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return []
  return node.superClass?.type === 'Identifier' && /Error$/.test(node.superClass.name) ? [node.id?.name ?? '(anonymous)'] : []
}
