import { access, mkdir, open, unlink } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import {
  DocketError,
  isRecord,
  mergeRecords,
  notWritten,
  opencodeUserDirectory,
  parseConfigText,
  readSettingsText,
  userConfigDirectory,
} from "@docket/core/other-programs"
import { type ParseError, parse } from "jsonc-parser"
import { fromClaudeSettings, type Migrated, type MigrationNote } from "./claude-settings.ts"
import { fromOpencode, opencodeProjectSettings, opencodeUserSettings } from "./opencode-settings.ts"

/** The configuration that a setup of another program would become. */
export interface Migration extends Migrated {
  from: "opencode" | "claude"
  /** The files it was made from, lowest priority first. */
  read: string[]
  /** The file to write. */
  target: string
  /** Files that Docket reads unchanged in their place. */
  stays: string[]
}

export interface MigrateInput {
  home: string
  env: Record<string, string | undefined>
  /** The project directory; null for the user's own setup. */
  directory: string | null
}

/** Finds setups of other programs and translates each for Docket. Writes nothing. @throws config_invalid */
export async function findMigrations(input: MigrateInput): Promise<Migration[]> {
  const found = [await fromOpencodeFiles(input), await fromClaudeFiles(input)]
  return found.filter((migration) => migration !== null)
}

/** Writes the translation into a new file. @throws config_invalid when the file exists; file_not_written */
export async function writeMigration({ target, config }: Migration): Promise<void> {
  // A docket.jsonc would count as well.
  const rivals = [target, `${target}c`]
  for (const file of rivals) {
    if (await exists(file))
      throw new DocketError(
        "config_invalid",
        `There is ${file} already. Nothing was written; take over by hand what you want of this.`,
      )
  }
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeNew(target, `${JSON.stringify(config, null, 2)}\n`)
  } catch (cause) {
    throw notWritten(target, cause)
  }
}

/** Removes the file when it cannot be written completely, because an incomplete configuration would be used. */
async function writeNew(target: string, text: string): Promise<void> {
  const handle = await open(target, "wx")
  try {
    await handle.writeFile(text)
    await handle.sync()
  } catch (error) {
    await unlink(target).catch(() => {})
    throw error
  } finally {
    await handle.close()
  }
}

async function fromOpencodeFiles(input: MigrateInput): Promise<Migration | null> {
  const { directory } = input
  const target = join(directory ?? userConfigDirectory(input), "docket.json")
  const read = await readAll(directory === null ? opencodeUserSettings(input) : opencodeProjectSettings(directory))
  const base = directory === null ? opencodeUserDirectory(input) : join(directory, ".opencode")
  const stays = await existing(
    ["agent", "agents", "command", "commands", "skill", "skills"].map((name) => join(base, name)),
  )
  if (read.length === 0) return null
  const shapes = read.map(({ file, value }) => {
    const { value: shape, left } = fromOpencode(value)
    const notes = left.map(({ path, message }): MigrationNote => ({ file, key: path.join("."), message }))
    return { config: rebased(shape, dirname(file), dirname(target)), notes }
  })
  const merged = shapes.reduce((low: Record<string, unknown>, { config }) => mergeRecords(low, config), {})
  const { $schema: _theirs, ...config } = merged
  return finished(
    { from: "opencode", read: read.map(({ file }) => file), target, stays },
    { config, notes: shapes.flatMap(({ notes }) => notes) },
  )
}

async function fromClaudeFiles(input: MigrateInput): Promise<Migration | null> {
  const { directory, home } = input
  const base = join(directory ?? home, ".claude")
  const read = await readAll(["settings.json", "settings.local.json"].map((name) => join(base, name)))
  if (read.length === 0) return null
  const places = ["agents", "commands", "skills", "CLAUDE.md"].map((name) => join(base, name))
  const stays = await existing(directory === null ? places : [...places, join(directory, "CLAUDE.md")])
  const target = join(directory ?? userConfigDirectory(input), "docket.json")
  return finished({ from: "claude", read: read.map(({ file }) => file), target, stays }, fromClaudeSettings(read))
}

/** Leaves out settings that Docket would refuse, and notes it. */
function finished(facts: Omit<Migration, keyof Migrated>, { config, notes }: Migrated): Migration {
  const { problems } = parseConfigText(facts.target, JSON.stringify(config, null, 2))
  const refused = problems.map(({ message }): MigrationNote => ({ file: facts.target, key: "", message }))
  return { ...facts, config, notes: [...notes, ...refused] }
}

async function readAll(files: readonly string[]): Promise<{ file: string; value: Record<string, unknown> }[]> {
  const found: { file: string; value: Record<string, unknown> }[] = []
  for (const file of files) {
    const text = (await exists(file)) ? await readSettingsText(file, null) : null
    if (text === null) continue
    const errors: ParseError[] = []
    const value: unknown = parse(text, errors, { allowTrailingComma: true })
    if (errors.length > 0 || !isRecord(value))
      throw new DocketError(
        "config_invalid",
        `${file} is not valid JSON. Mend it first: nobody knows what its rules deny.`,
      )
    found.push({ file, value })
  }
  return found
}

/** Makes relative paths relative to another directory. */
function rebased(config: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  if (from === to) return config
  const name = (path: string) => (/^(?:~?\/|https?:)/i.test(path) ? path : join(relative(to, from), path))
  const visit = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(/\{file:([^{}]+)\}/g, (_, path: string) => `{file:${name(path)}}`)
    if (Array.isArray(value)) return value.map(visit)
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)])) : value
  }
  const { instructions, ...rest } = config
  const moved = Array.isArray(instructions) ? { instructions: instructions.map((item) => name(String(item))) } : {}
  return { ...mergeRecords({}, Object(visit(rest))), ...moved }
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await exists(path)) ? [path] : [])))
  return found.flat()
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
