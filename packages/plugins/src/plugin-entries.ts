import { dirname, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { DocketError } from "@docket/core/error"
import type { ExtensionPlace } from "@docket/core/extension-host"
import type { FoundPackages } from "@docket/core/installed-packages"
import { formatPackageSpec, parsePackageSpec } from "@docket/core/package-spec"
import { createPluginFiles, pluginNote, readPluginFile } from "@docket/core/plugin-files"
import { isPluginPath, projectPluginPath } from "@docket/core/plugin-path"
import { sha256Of } from "@docket/core/read-module"
import type { ExtensionItem } from "@docket/core/schema"
import type { ChildPlugin } from "./child/protocol.ts"

/** A plugin that is named in a place, in the order in which plugins are asked. */
export interface PluginEntry {
  ref: ExtensionItem["ref"]
  title: string
  /** The user's own, of all projects. */
  isOwn: boolean
  origin: ExtensionItem["origin"]
  /** What is loaded; null while it waits or is switched off. */
  at: ChildPlugin["at"] | null
  /** The package that it needs and that nobody has agreed to install yet. */
  installs?: string
  /** Why it is not loaded, in words; null when it is, or is switched off. */
  waits: string | null
  /** It waits for nothing that could come. */
  isRefused?: true
  isOff: boolean
  options: ChildPlugin["options"]
  /** SHA-256 of the files that it may load, by real path; for a project's file. */
  trusted: Record<string, string>
  /** Directories that its process reads; real paths. */
  readable: readonly string[]
  /** Changes when other code or other options would be loaded. */
  version: string
}

interface EntriesDeps {
  packages: FoundPackages
}

type Unjudged = Omit<PluginEntry, "isOff">

/**
 * The plugins of a place: the user's packages, the project's packages, the user's files, the project's files. Those of the
 * project are there only as far as the user trusts it.
 */
export async function pluginEntries(deps: EntriesDeps, place: ExtensionPlace): Promise<PluginEntry[]> {
  const named = await Promise.all(place.sources.flatMap((source) => namedIn(deps, place, source)))
  const own = (await createPluginFiles(place).own()).files.map((file) => ofFile(place, file, true))
  const trusted = place.provided
    .filter(({ kind, trusted }) => kind === "plugin" && trusted)
    .map((file) => ofFile(place, file, false))
  const isEarly = ({ isOwn }: Unjudged) => isOwn
  const ordered = [...named.filter(isEarly), ...named.filter((one) => !isEarly(one)), ...own, ...trusted]
  // A plugin that is named twice is loaded once, as the nearest file says it.
  const unique = new Map(ordered.map((entry) => [`${entry.isOwn} ${entry.ref.name}`, entry]))
  return Promise.all(
    [...unique.values()].map(async (entry) => {
      const isOff = !(await place.ledger.isOn(entry.ref))
      return { ...entry, isOff, ...(isOff && { at: null, waits: null }) }
    }),
  )
}

/** The plugins that a configuration file names. */
function namedIn(deps: EntriesDeps, place: ExtensionPlace, source: ExtensionPlace["sources"][number]) {
  const isOwn = source.layer !== "project"
  return (source.config.plugin ?? []).map(async (item, at): Promise<Unjudged> => {
    const [spec, options] = typeof item === "string" ? [item, null] : item
    const { line } = source.place(["plugin", String(at)])
    const origin = { file: source.file, line }
    const base = { isOwn, origin, options, trusted: {}, readable: [] }
    return isPluginPath(spec) ? namedFile(place, spec, base) : namedPackage(deps, place, spec, base)
  })
}

type Base = Pick<Unjudged, "isOwn" | "options" | "trusted" | "readable"> & {
  origin: { file: string; line: number | null }
}

async function namedFile(place: ExtensionPlace, spec: string, base: Base): Promise<Unjudged> {
  const file = spec.startsWith("file:") ? fileURLToPath(spec) : resolve(dirname(base.origin.file), spec)
  const found = { ...base, ref: refOf(place, base.isOwn, nameOf(place, file, base.isOwn)), title: spec }
  if (!base.isOwn) {
    return { ...found, at: null, waits: projectPluginPath, isRefused: true, version: spec }
  }
  try {
    const { text, pieces } = await readPluginFile(file, null)
    return { ...found, at: { file: pieces?.[0]?.real ?? file }, waits: null, version: text }
  } catch (error) {
    return { ...found, at: null, waits: `${file} ${error instanceof Error ? error.message : error}.`, version: spec }
  }
}

async function namedPackage(
  { packages }: EntriesDeps,
  place: ExtensionPlace,
  spec: string,
  base: Base,
): Promise<Unjudged> {
  const found = { ...base, title: spec, version: spec }
  try {
    const wanted = parsePackageSpec(spec.replace(/@latest$/, ""))
    const ref = refOf(place, base.isOwn, wanted.name)
    const installed = await packages.find(wanted)
    if (installed === null) {
      const waits = `The package ${spec} is not installed. It is installed once somebody agrees to it: in Settings → Extensions, or with docket package install ${wanted.name}.`
      return { ...found, ref, at: null, waits, installs: formatPackageSpec(wanted) }
    }
    const directory = packages.directoryOf(installed)
    const at = { package: installed.name, directory }
    return { ...found, ref, at, waits: null, readable: [directory], version: `${spec} ${installed.integrity}` }
  } catch (error) {
    if (!(error instanceof DocketError)) throw error
    return { ...found, ref: refOf(place, base.isOwn, spec.slice(0, 300)), at: null, waits: error.message }
  }
}

function ofFile(place: ExtensionPlace, file: ExtensionPlace["provided"][number] | OwnFile, isOwn: boolean): Unjudged {
  const real = file.pieces?.[0]?.real ?? file.file
  const trusted = Object.fromEntries((file.beside ?? []).map((one) => [one.file, one.sha256]))
  return {
    ref: refOf(place, isOwn, nameOf(place, file.file, isOwn)),
    title: file.name,
    isOwn,
    origin: { file: file.file, line: null },
    at: { file: real },
    waits: null,
    options: null,
    trusted: isOwn ? {} : { ...trusted, [real]: sha256Of(file.text) },
    readable: [],
    version: JSON.stringify([file.text, file.beside]),
  }
}

type OwnFile = Awaited<ReturnType<ReturnType<typeof createPluginFiles>["own"]>>["files"][number]

function refOf(place: ExtensionPlace, isOwn: boolean, name: string): PluginEntry["ref"] {
  return { kind: "plugin", name, projectID: isOwn ? null : place.project.id }
}

/** The path of a file, from the project or from home. */
function nameOf(place: ExtensionPlace, file: string, isOwn: boolean): string {
  return (isOwn ? `~/${relative(place.home, file)}` : relative(place.checkout, file)).slice(-300)
}

/** What a plugin may do, in sentences for people. */
export async function mayOf(
  { isOwn }: Pick<PluginEntry, "isOwn">,
  isFree: boolean,
  place: ExtensionPlace,
): Promise<string[]> {
  const reach = isFree
    ? "Runs with your rights on this machine: it reads and changes files, starts programs and reaches the network."
    : await confinedReach(place)
  return [pluginNote, isOwn || isFree ? reach : `${reach} It was trusted with the project.`]
}

/** What a plugin reaches that is to run in the sandbox. */
async function confinedReach({ unconfined }: Pick<ExtensionPlace, "unconfined">): Promise<string> {
  const reason = await unconfined()
  return reason === null
    ? "Runs in the sandbox: it reads the project, changes no file and reaches no network."
    : `No sandbox bounds here what it reads, changes and reaches: ${reason}`
}
