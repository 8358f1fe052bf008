import { readFile, realpath } from "node:fs/promises"
import { basename } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { applyEdits, type JSONPath, modify, type ParseError, parse } from "jsonc-parser"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { ExtensionItem, ExtensionRemoval } from "../../ground/schema/index.ts"
import type { CountingSource } from "../../setup/config/loaded-config.ts"
import type { ExtensionPlace } from "./extension-host.ts"

/** An entry of the user's docket.json that names an extension. */
export interface ExtensionEntry {
  file: string
  /** The key of its section, and what stands there: the name of a server, or a plugin as it is written. */
  section: "mcp" | "plugin"
  named: unknown
}

type Place = Pick<ExtensionPlace, "sources">
type Item = Pick<ExtensionItem, "ref" | "title" | "origin">

/** The entries that go when an extension is uninstalled; none where Docket does not change what names it. */
export function entriesOf({ sources }: Place, { ref, title, origin }: Item): ExtensionEntry[] {
  if (ref.projectID !== null || ref.kind === "hook") return []
  const own = sources.filter(isOwnDocketFile)
  if (ref.kind === "mcp") {
    // A switch alone does not bring the server.
    if (!own.some(({ file }) => file === origin?.file)) return []
    return own.flatMap(({ file, written }) =>
      written.mcp?.[ref.name] === undefined ? [] : [{ file, section: "mcp", named: ref.name }],
    )
  }
  return own.flatMap(({ file, config, written }) =>
    (config.plugin ?? []).flatMap((item, at): ExtensionEntry[] => {
      const spec = typeof item === "string" ? item : item[0]
      return spec === title ? [{ file, section: "plugin", named: written.plugin?.[at] }] : []
    }),
  )
}

/** How an extension is taken away, in words for people. */
export function removalOf(place: Place, item: Item): ExtensionRemoval {
  const { ref, origin } = item
  const file = origin?.file ?? null
  const files = [...new Set(entriesOf(place, item).map((entry) => entry.file))]
  if (files.length > 0)
    return { how: "entry", words: `Its entry goes from ${files.join(" and ")}.${afterwards[ref.kind]}` }
  if (ref.projectID !== null) {
    const words = `It belongs to the project, whose files Docket does not change${file === null ? "" : ` (${file})`}. You can switch it off.`
    return { how: "stays", words }
  }
  if (file === null) return { how: "stays", words: "It is set for this service alone. You can switch it off." }
  const isNamed = place.sources.some((source) => source.file === file)
  if (ref.kind === "plugin" && !isNamed)
    return { how: "file", words: `It counts because its file is there. To uninstall it, remove ${file}.` }
  return {
    how: "stays",
    words: `It stands in ${file}, which Docket does not change. Take it out there, or switch it off.`,
  }
}

const afterwards = {
  mcp: " Your sign-in to it is forgotten.",
  plugin: " Its sign-in is forgotten, if it has one. The files of a package stay until you run docket package remove.",
  hook: "",
}

function isOwnDocketFile({ file, layer, defines }: CountingSource): boolean {
  return layer === "user" && defines === null && /^docket\.jsonc?$/.test(basename(file))
}

/** A text of a configuration without an entry; its comments and everything else stay. */
export interface ShortenedFile {
  /** The real path. */
  real: string
  text: string
}

/**
 * Takes an entry out of a docket.json as it is on disk now.
 * @throws DocketError config_invalid when it cannot be read, config_changed when the entry is gone
 */
export async function withoutEntry({ file, section, named }: ExtensionEntry): Promise<ShortenedFile> {
  const real = await realpath(file).catch(() => file)
  const before = (await readFile(real, "utf8").catch(() => "")).replace(/^\uFEFF/, "")
  const errors: ParseError[] = []
  const value: unknown = parse(before, errors, { allowTrailingComma: true })
  if (errors.length > 0) {
    throw new DocketError("config_invalid", `${file} is no valid JSON now, so nothing was changed. Mend it first.`)
  }
  const path = pathOf(Object(value)[section], { section, named })
  if (path === null) {
    throw new DocketError("config_changed", `${file} does not name it any more. Nothing was changed; look again.`)
  }
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" }
  return { real, text: applyEdits(before, modify(before, path, undefined, { formattingOptions })) }
}

function pathOf(given: unknown, { section, named }: Pick<ExtensionEntry, "section" | "named">): JSONPath | null {
  if (section === "mcp") return Object.hasOwn(Object(given), String(named)) ? [section, String(named)] : null
  const at = Array.isArray(given) ? given.findIndex((item) => isDeepStrictEqual(item, named)) : -1
  return at === -1 ? null : [section, at]
}
