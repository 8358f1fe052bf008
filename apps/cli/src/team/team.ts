import type { DocketClient } from "@docket/client"
import { offboardingMessages } from "@docket/core/offboarding-messages"
import type { Role } from "@docket/core/schema"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"
import { dayOf } from "./day-of.ts"

type Team = DocketClient["team"]

/** The members of the workspace, and the invitations if the caller may invite people. */
export async function listMembers(team: Team, client: DocketClient): Promise<string[]> {
  const { refused } = await client.me.get.query()
  const [members, invited] = await Promise.all([
    team.members.query(),
    refused["people.manage"] === undefined ? team.invitations.query() : [],
  ])
  return tableLines([
    ...members.map(({ name, email, role, joined }) => [email, role, name, `since ${dayOf(joined)}`]),
    ...invited.map(({ email, role, expires }) => [email, role, "", `invited, until ${dayOf(expires)}`]),
  ])
}

export async function invite(team: Team, email: string, role: Role): Promise<string> {
  const { url, mailed } = await team.invite.mutate({ email, role })
  const how = mailed ? "It was mailed. It works once, for a week:" : "Give them this link. It works once, for a week:"
  return `${email} is invited as ${role}. ${how}\n\n  ${url}\n`
}

/** Ends a membership, or cancels a pending invitation. */
export async function remove(team: Team, email: string): Promise<string> {
  const waiting = (await team.invitations.query()).find((each) => each.email === email.toLowerCase())
  if (waiting) {
    await team.cancelInvitation.mutate({ invitation: waiting.id })
    return `The invitation of ${email} does not work any more.`
  }
  const { person, name } = await memberOf(team, email)
  const left = await team.remove.mutate({ person })
  const hint = left !== null && left.hidden > 0 ? ["  docket team former lists them"] : []
  return [`${name} (${email}) is no member any more, and is signed out.`, ...offboardingLines(left), ...hint].join("\n")
}

/** What the offboarding did with the sessions and the running work of a removed member. */
function offboardingLines(left: Parameters<typeof offboardingMessages>[0] | null): string[] {
  return left === null ? [] : offboardingMessages(left).map((words) => `  ${words}`)
}

/** Former members who left private sessions. */
export async function listFormer(team: Team): Promise<string[]> {
  const former = await team.former.query()
  if (former.length === 0) return ["nobody who is gone left private sessions"]
  return tableLines(former.map(({ person, name, hidden }) => [person, name, `${hidden} private`]))
}

/** Makes the private sessions of a former member visible to the workspace. */
export async function showFormer(team: Team, person: string): Promise<string> {
  if (!(await team.former.query()).some((each) => each.person === person))
    throw new UsageError(
      `nobody with the id ${person} is gone and left private sessions; docket team former lists them`,
    )
  const { opened } = await team.openSessions.mutate({ person })
  return `The workspace sees ${opened} more ${opened === 1 ? "session" : "sessions"} now.`
}

export async function setRole(team: Team, email: string, role: Role): Promise<string> {
  const { person, name } = await memberOf(team, email)
  const left = await team.setRole.mutate({ person, role })
  return [`${name} (${email}) is ${role} now.`, ...offboardingLines(left)].join("\n")
}

export async function makeResetLink(team: Team, email: string): Promise<string> {
  const { url } = await team.resetLink.mutate({ person: (await memberOf(team, email)).person })
  return `With this link ${email} chooses a new password. It works once, for a day:\n\n  ${url}\n`
}

async function memberOf(team: Team, email: string): Promise<{ person: string; name: string }> {
  const found = (await team.members.query()).find((each) => each.email === email.toLowerCase())
  if (found) return found
  throw new UsageError(`nobody in this workspace has the address ${email}; docket team members lists them`)
}
