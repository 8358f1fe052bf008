import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { openChecked, writeAtomic } from "../../acts/tool/checked-file.ts"
import { readTextFile } from "../../acts/tool/text-file.ts"
import type { SharedContents } from "../../ground/blob/shared-contents.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { errorCode } from "../../ground/error/error-code.ts"
import { notWritten } from "../../ground/error/not-written.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { Project, Session } from "../../ground/schema/index.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { isPlanPath, planPath } from "./plan-file.ts"

/** UTF-16 units; a longer plan would not be read before it is approved. */
const maxPlanLength = 200_000

/** Where a session's plans may be stored: in its worktree or in Docket's own data. */
interface PlanPlace {
  worktree: string
  planRoot: string
}

/** A plan with the present text of its file. */
export interface PlanDocument {
  /** The path as its session stores it: relative to the worktree, or absolute. */
  file: string
  text: string
  /** Changes with the text. */
  version: string
}

/**
 * A session's plan; null when it is not written yet.
 * @throws invalid_input when the file cannot be read as a plan, or a link leads elsewhere
 */
export async function readPlan(place: PlanPlace, file: string): Promise<PlanDocument | null> {
  const real = await ownPath(place, file)
  try {
    await using handle = await openChecked(real)
    const { text } = await readTextFile(handle, file)
    if (text.length > maxPlanLength) throw new Error(`has over ${maxPlanLength} characters`)
    return { file, text, version: versionOf(text) }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null
    const why = error instanceof Error ? error.message : String(error)
    throw new DocketError("invalid_input", `The plan ${file} cannot be read: ${why}`, { cause: error })
  }
}

/**
 * Writes a plan that a user edited. `version` is that of the text that the user started from.
 * @throws plan_changed when the file has changed since; invalid_input when it cannot be a plan; file_not_written
 */
export async function writePlan(
  place: PlanPlace,
  file: string,
  { text, version }: Pick<PlanDocument, "text" | "version">,
): Promise<PlanDocument> {
  if (text.trim() === "") throw new DocketError("invalid_input", "A plan cannot be empty. Write what is to be done.")
  if (text.length > maxPlanLength) {
    throw new DocketError("invalid_input", `A plan has at most ${maxPlanLength} characters. Shorten it.`)
  }
  const current = await readPlan(place, file)
  if (current?.version !== version) {
    throw new DocketError(
      "plan_changed",
      "The plan changed while you edited it. Your text is kept here: look at the plan as it is now, then save again.",
    )
  }
  const real = await ownPath(place, file)
  await writeAtomic(real, Buffer.from(text), { mode: null }).catch((cause) => {
    throw notWritten(file, cause)
  })
  return { file, text, version: versionOf(text) }
}

/** The real path of a plan; refused when a link leads elsewhere. */
async function ownPath(place: PlanPlace, file: string): Promise<string> {
  const named = planPath(await realpathOfDeepest(place.worktree), file)
  if (!(await isPlanPath(named, place))) throw new DocketError("invalid_input", `${file} is no plan of this session.`)
  if ((await realpathOfDeepest(named)) === named) return named
  throw new DocketError("invalid_input", `The plan ${file} is not read: a symbolic link leads to another file.`)
}

function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

export interface PlanOfSessionDeps {
  /** The directory for plans of projects without git (absolute). */
  planRoot: string
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
  /** What nodes keep for each other; null where each host keeps its own. */
  contents?: Pick<SharedContents, "keep" | "find" | "fileOf"> | null
}

/** A session's plan with the present text of its file (null before it is written), and where plans may be stored. */
export async function planOfSession(
  deps: PlanOfSessionDeps,
  sessionID: string,
): Promise<{ place: PlanPlace; plan: PlanDocument | null }> {
  const session = await deps.sessionByID(sessionID)
  const { worktree } = workingProject(session, await deps.projectByID(session.projectID))
  const place = { worktree, planRoot: deps.planRoot }
  if (session.plan === undefined) return { place, plan: null }
  return { place, plan: (await readPlan(place, session.plan)) ?? (await planOfOthers(deps, session, session.plan)) }
}

/** A plan as the host with its file last kept it for others. */
async function planOfOthers(
  { contents = null }: PlanOfSessionDeps,
  { rootID }: Session,
  file: string,
): Promise<PlanDocument | null> {
  const found = (await contents?.find(rootID, "plan", basename(file))) ?? null
  if (found === null || contents === null) return null
  const text = await readFile(await contents.fileOf(found), "utf8")
  return { file, text, version: versionOf(text) }
}
