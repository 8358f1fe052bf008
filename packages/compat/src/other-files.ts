import { stat } from "node:fs/promises"
import { join } from "node:path"
import { isWithin, type JudgedFile, type OtherFile, type ReadProject } from "@docket/core/other-programs"
import type { ClaudeDenials } from "./claude-denials.ts"

const hooks = "No hook is run."
const servers = "No MCP server is started."

/** Files that Docket ignores, by their place in a directory, with the reason. */
const ignored: readonly [place: string, words: string][] = [
  [".cursor/mcp.json", servers],
  [".cursor/hooks.json", hooks],
]

/** Texts for other programs' models. A model here reads them only when the key `instructions` names them. */
const texts: readonly [place: string, what: "it" | "its files"][] = [
  [".cursor/rules", "its files"],
  [".cursorrules", "it"],
  [".github/copilot-instructions.md", "it"],
]

/**
 * Files of other programs at each level of a project, besides the agents, commands, skills and instructions that Docket
 * reads.
 */
export async function findOtherFiles(
  levels: readonly string[],
  {
    claude,
    provided,
    glance,
  }: { claude: Pick<ClaudeDenials, "files">; provided: readonly JudgedFile[] } & Pick<ReadProject, "glance">,
): Promise<OtherFile[]> {
  const present = <T>(level: string, places: readonly [place: string, of: T][]) =>
    presentIn(
      glance,
      places.map(([place, of]) => [join(level, place), of]),
    )
  const found = await Promise.all(
    levels.map(async (level) => [
      ...claude.files
        .filter(({ file }) => file.startsWith(join(level, ".claude/settings.")))
        .flatMap((file) => claudeFiles(file, provided)),
      ...(await present(level, ignored)).map(([file, words]): OtherFile => ({ file, state: "ignored", words })),
      ...(await present(level, [[".mcp.json", null]] as const)).flatMap(([file]) => serversFile(file, provided)),
      ...(await present(level, texts)).map(([file, what]) => textFile(file, what, provided)),
    ]),
  )
  return found.flat()
}

function claudeFiles(
  { file, denials, hasHooks }: ClaudeDenials["files"][number],
  provided: readonly JudgedFile[],
): OtherFile[] {
  const counted = denials === 1 ? "Only its 1 denial counts" : `Only its ${denials} denials count`
  const rest = "`docket migrate` shows what else would be in a docket.json."
  return [
    denials === 0
      ? { file, state: "ignored", words: `It denies nothing, so nothing of it counts; ${rest}` }
      : { file, state: "denials", words: `${counted}, trusted or not; ${rest}` },
    ...(hasHooks ? [hooksFile(file, provided)] : []),
  ]
}

/** The servers in `.mcp.json`, each of which is trusted by itself. */
function serversFile(file: string, provided: readonly JudgedFile[]): OtherFile[] {
  const own = provided.filter((each) => each.kind === "mcp-server" && each.file === file)
  const waiting = own.filter(({ trusted }) => !trusted).length
  if (own.length === 0) return [{ file, state: "ignored", words: "It has no MCP server that can be read." }]
  const servers = own.length === 1 ? "Its MCP server" : `Its ${own.length} MCP servers`
  if (waiting === 0) return [{ file, state: "used", words: `${servers} can be used by agents.` }]
  const some = waiting === own.length ? servers : `${waiting} of its ${own.length} MCP servers`
  return [{ file, state: "waits", words: `${some} ${waiting === 1 ? "waits" : "wait"} for your trust in the project.` }]
}

function hooksFile(file: string, provided: readonly JudgedFile[]): OtherFile {
  const hooks = provided.find((each) => each.kind === "hook" && each.file === file)
  if (hooks === undefined) return { file, state: "ignored", words: "None of its hooks can be run." }
  return hooks.trusted
    ? { file, state: "used", words: "Its hooks are run." }
    : { file, state: "waits", words: "Its hooks wait for your trust in the project." }
}

function textFile(file: string, what: "it" | "its files", provided: readonly JudgedFile[]): OtherFile {
  const named = provided.filter((each) => each.kind === "instruction-file" && isWithin(file, each.file))
  if (named.some(({ trusted }) => trusted))
    return { file, state: "used", words: "Is named in `instructions`, so that it reaches models." }
  if (named.length > 0)
    return { file, state: "waits", words: "Is named in `instructions`, and waits for your trust in the project." }
  return { file, state: "ignored", words: `Reaches no model; name ${what} in \`instructions\` where that is wanted.` }
}

/** The existing files. A link that leads nowhere is none. */
async function presentIn<T>(
  glance: ReadProject["glance"],
  places: readonly [file: string, of: T][],
): Promise<[file: string, of: T][]> {
  const found = await Promise.all(
    (await glance.present(places, ([file]) => file)).map(async ([file, of]): Promise<[string, T][]> => {
      const isThere = await stat(file).then(
        () => true,
        () => false,
      )
      return isThere ? [[file, of]] : []
    }),
  )
  return found.flat()
}
