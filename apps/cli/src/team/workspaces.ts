import type { DocketClient } from "@docket/client"
import type { SessionVisibility, Workspace } from "@docket/core/schema"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

type Workspaces = DocketClient["workspace"]

const peopleOf = (count: number) => (count === 1 ? "1 person" : `${count} people`)

/** The caller's workspaces; an operator gets all workspaces. */
export async function listWorkspaces(api: Workspaces): Promise<string[]> {
  const { workspaces, mayCreate } = await api.list.query()
  const own = new Map(workspaces.map((each) => [each.id, each]))
  const currentSign = (id: string) => (own.get(id)?.isCurrent ? "*" : "")
  if (!mayCreate) return tableLines(workspaces.map(({ id, name, role }) => [currentSign(id), id, name, role]))
  const all = await api.all.query()
  return tableLines(
    all.map(({ id, name, members }) => [currentSign(id), id, name, peopleOf(members), own.get(id)?.role ?? ""]),
  )
}

export async function addWorkspace(
  api: Workspaces,
  name: string,
  { id, owner }: { id?: string | undefined; owner?: string | undefined },
): Promise<string> {
  const made = await api.create.mutate({ name, id, owner })
  const begun = `The workspace ${made.name} (${made.id}) is there. It opens no directory before its roots are named.`
  if (made.invitation === null) return begun
  return `${begun}\nGive its owner this link. It works once, for a week:\n\n  ${made.invitation.url}\n`
}

/** Switches this sign-in to another workspace. */
export async function useWorkspace(api: Workspaces, named: string): Promise<string> {
  const { workspaces } = await api.list.query()
  const found = findNamed(workspaces, named)
  if (found === undefined)
    throw new UsageError(`you belong to no workspace ${named}; docket team workspace list shows yours`)
  await api.switch.mutate({ workspace: found.id })
  return `You work in ${found.name} now.`
}

/** Finds a workspace by its id, or by a unique name. @throws UsageError with the ids of those with the same name */
function findNamed<T extends { id: string; name: string }>(workspaces: readonly T[], named: string): T | undefined {
  const found = workspaces.find(({ id }) => id === named)
  if (found) return found
  const called = workspaces.filter(({ name }) => name === named)
  if (called.length < 2) return called[0]
  const ids = called.map(({ id }) => id).join(", ")
  throw new UsageError(`${called.length} workspaces are called ${named}; name one by its id: ${ids}`)
}

export async function renameWorkspace(api: Workspaces, name: string): Promise<string> {
  await api.rename.mutate({ name })
  return `The workspace is called ${name} now.`
}

/** Removes a workspace after `confirm`, which gets its name, agreed. */
export async function removeWorkspace(
  api: Workspaces,
  named: string,
  confirm: (name: string) => Promise<boolean>,
): Promise<string> {
  const { workspaces, mayCreate } = await api.list.query()
  const listed = mayCreate ? await api.all.query() : workspaces
  const found = findNamed<{ id: string; name: string }>(listed, named)
  if (found === undefined) throw new UsageError(`there is no workspace ${named}; docket team workspace list shows them`)
  const { id, name } = found
  if (!(await confirm(name))) return "Nothing was removed."
  if (workspaces.some((each) => each.id === id && each.isCurrent)) await api.remove.mutate({ name })
  else if (mayCreate) await api.removeAny.mutate({ workspace: id, name })
  else throw new UsageError(`go there first: docket team workspace use ${id}`)
  return `The workspace ${name} is removed with all that it held.`
}

export interface WorkspaceChoice {
  /** Absolute directories on the machine of the service; null for any. */
  roots?: string[] | null
  visibility?: SessionVisibility
  turns?: number | null
  whenRemoved?: Workspace["whenRemoved"]
}

/** Changes the chosen settings of the workspace, if any, and returns all of them. */
export async function setWorkspace(api: Workspaces, choice: WorkspaceChoice): Promise<string[]> {
  const isChange = Object.keys(choice).length > 0
  const { roots, visibility, turns, whenRemoved } = isChange ? await api.update.mutate(choice) : await api.get.query()
  const opened = roots === null ? ["any"] : roots.length === 0 ? ["none: name some with --root"] : roots
  return tableLines([
    ...opened.map((root, n) => [n === 0 ? "directories" : "", root]),
    ["new sessions", visibility === "author" ? "seen by who starts them" : "seen by the workspace"],
    ["at once", turns === null ? "any number of sessions" : `${turns} ${turns === 1 ? "session" : "sessions"}`],
    ["who is removed", whenRemoved === "stop" ? "their running turns stop" : "their running turns finish"],
  ])
}

/**
 * Sets the directories that any workspace may open, and returns them as lines. For operators only.
 * @param roots null changes nothing
 */
export async function setRoots(api: Workspaces, named: string, roots: string[] | null): Promise<string[]> {
  const found = findNamed(await api.all.query(), named)
  if (found === undefined) throw new UsageError(`there is no workspace ${named}; docket team workspace list shows them`)
  const set = roots === null ? found.roots : (await api.setRoots.mutate({ workspace: found.id, roots })).roots
  if (set === null) return [`${found.name} opens any directory.`]
  if (set.length === 0) return [`${found.name} opens no directory.`]
  return [`${found.name} opens:`, ...set.map((root) => `  ${root}`)]
}

export async function listOperators(api: Workspaces): Promise<string[]> {
  return tableLines((await api.operators.query()).map(({ email, name }) => [email, name]))
}

export async function setOperator(api: Workspaces, email: string, isOperator: boolean): Promise<string> {
  const { name } = await api.setOperator.mutate({ email, isOperator })
  return isOperator
    ? `${name} (${email}) runs the service now: makes and removes workspaces, and installs packages of providers.`
    : `${name} (${email}) does not run the service any more.`
}
