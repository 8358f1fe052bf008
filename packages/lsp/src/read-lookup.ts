import type { LanguagePosition, LanguageQuestion } from "@docket/core/language-servers"
import { isRecord, readPosition } from "./read-diagnostics.ts"
import { filePath } from "./server-files.ts"

/** The requests of the protocol behind the operations of the tool. */
export const lookupMethods: Readonly<Record<LanguageQuestion["operation"], string>> = {
  definition: "textDocument/definition",
  references: "textDocument/references",
  hover: "textDocument/hover",
  symbols: "textDocument/documentSymbol",
}

/** Places and characters that are kept of an answer. */
const maxPlaces = 500
const maxHover = 10_000
const maxDepth = 20

type Answer = { places: LanguagePosition[] } | { text: string }

/** An answer as a server sent it; what has not its form is left out. */
export function readLookup({ operation, file }: Pick<LanguageQuestion, "operation" | "file">, answer: unknown): Answer {
  if (operation === "hover") return { text: isRecord(answer) ? hoverText(answer.contents).slice(0, maxHover) : "" }
  const items = Array.isArray(answer) ? answer : answer === null || answer === undefined ? [] : [answer]
  if (operation === "symbols") return { places: symbolsIn(items, file, 0).slice(0, maxPlaces) }
  return { places: items.slice(0, maxPlaces).flatMap((item: unknown) => locationOf(item) ?? []) }
}

/** A Location or LocationLink. */
function locationOf(item: unknown): LanguagePosition | null {
  if (!isRecord(item)) return null
  const uri = item.uri ?? item.targetUri
  const range = item.range ?? item.targetSelectionRange
  const place = isRecord(range) ? readPosition(range.start) : null
  const file = typeof uri === "string" ? filePath(uri) : ""
  return place === null || file === "" ? null : { file, ...place }
}

/** DocumentSymbols with their children, or SymbolInformation. */
function symbolsIn(items: readonly unknown[], file: string, depth: number): LanguagePosition[] {
  if (depth > maxDepth) return []
  return items.slice(0, maxPlaces).flatMap((item): LanguagePosition[] => {
    if (!isRecord(item) || typeof item.name !== "string") return []
    const located = locationOf(item.location)
    const range = item.selectionRange ?? item.range
    const place = located ?? (isRecord(range) ? readPosition(range.start) : null)
    if (place === null) return []
    const label = `${"  ".repeat(depth)}${kinds[Number(item.kind)] ?? "symbol"} ${item.name.slice(0, 200)}`
    const children = Array.isArray(item.children) ? item.children : []
    return [{ file, ...place, label }, ...symbolsIn(children, file, depth + 1)]
  })
}

/** SymbolKind of LSP 3.17, from 1. */
const kinds = [
  "symbol",
  ..."file module namespace package class method property field constructor enum interface function variable constant".split(
    " ",
  ),
  ..."string number boolean array object key null member struct event operator parameter".split(" "),
]

/** MarkupContent, MarkedString, or several of these. */
function hoverText(contents: unknown): string {
  if (typeof contents === "string") return contents
  if (Array.isArray(contents)) return contents.slice(0, 20).map(hoverText).filter(Boolean).join("\n\n")
  return isRecord(contents) && typeof contents.value === "string" ? contents.value : ""
}
