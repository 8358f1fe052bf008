import type { DocketClient } from "@docket/client"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

type Workspaces = DocketClient["workspace"]

const peopleOf = (count: number) => (count === 1 ? "1 person" : `${count} people`)

/** Those of the caller; for whoever runs the service, all. */
export async function listWorkspaces(of: Workspaces): Promise<string[]> {
  const { workspaces, mayCreate } = await of.list.query()
  const own = new Map(workspaces.map((each) => [each.id, each]))
  const mark = (id: string) => (own.get(id)?.isCurrent ? "*" : "")
  if (!mayCreate) return tableLines(workspaces.map(({ id, name, role }) => [mark(id), id, name, role]))
  const all = await of.all.query()
  return tableLines(
    all.map(({ id, name, members }) => [mark(id), id, name, peopleOf(members), own.get(id)?.role ?? ""]),
  )
}

export async function addWorkspace(
  of: Workspaces,
  name: string,
  { id, owner }: { id?: string | undefined; owner?: string | undefined },
): Promise<string> {
  const made = await of.create.mutate({ name, id, owner })
  const begun = `The workspace ${made.name} (${made.id}) is there. It opens no directory before its roots are named.`
  if (made.invitation === null) return begun
  return `${begun}\nGive its owner this link. It works once, for a week:\n\n  ${made.invitation.url}\n`
}

/** Works in another workspace from now on, with this sign-in. */
export async function useWorkspace(of: Workspaces, named: string): Promise<string> {
  const { workspaces } = await of.list.query()
  const found = workspaces.find(({ id, name }) => id === named || name === named)
  if (found === undefined)
    throw new UsageError(`you belong to no workspace ${named}; docket team workspace list shows yours`)
  await of.switch.mutate({ workspace: found.id })
  return `You work in ${found.name} now.`
}

export async function renameWorkspace(of: Workspaces, name: string): Promise<string> {
  await of.rename.mutate({ name })
  return `The workspace is called ${name} now.`
}

/** Asks by `confirm`, which is told the workspace's name. */
export async function removeWorkspace(
  of: Workspaces,
  named: string,
  confirm: (name: string) => Promise<boolean>,
): Promise<string> {
  const { workspaces, mayCreate } = await of.list.query()
  const listed = mayCreate ? await of.all.query() : workspaces
  const found = listed.find(({ id, name }) => id === named || name === named)
  if (found === undefined) throw new UsageError(`there is no workspace ${named}; docket team workspace list shows them`)
  const { id, name } = found
  if (!(await confirm(name))) return "Nothing was removed."
  if (workspaces.some((each) => each.id === id && each.isCurrent)) await of.remove.mutate({ name })
  else if (mayCreate) await of.removeAny.mutate({ workspace: id, name })
  else throw new UsageError(`go there first: docket team workspace use ${id}`)
  return `The workspace ${name} is removed with all that it held.`
}

/** Those who run the service, beside what they are in their workspaces. */
export async function listOperators(of: Workspaces): Promise<string[]> {
  return tableLines((await of.operators.query()).map(({ email, name }) => [email, name]))
}

export async function setOperator(of: Workspaces, email: string, isOperator: boolean): Promise<string> {
  const { name } = await of.setOperator.mutate({ email, isOperator })
  return isOperator
    ? `${name} (${email}) runs the service now: makes and removes workspaces, and installs packages of providers.`
    : `${name} (${email}) does not run the service any more.`
}
