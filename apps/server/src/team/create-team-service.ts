import type { TeamService, TeamWorkspaces } from "@docket/api"
import { DocketError, type Offboarding } from "@docket/core"
import type { Invitations } from "./invitations.ts"
import type { LinkLimit } from "./link-limit.ts"
import type { Members } from "./members.ts"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"
import type { ProgramKeys } from "./program-keys.ts"
import type { ProgramTokens } from "./program-tokens.ts"
import type { ResetLinks } from "./reset-links.ts"
import { requireRank } from "./rights-now.ts"
import type { SendMail } from "./send-mail.ts"
import type { SignIns } from "./sign-ins.ts"

export interface TeamServiceDeps {
  workspaces: TeamWorkspaces
  /** Offboarding for a workspace; null when it does not exist. */
  offboardingIn(workspace: string): Promise<Offboarding | null>
  members: Members
  memberships: Pick<Memberships, "ofWorkspace">
  invitations: Invitations
  keys: ProgramKeys
  tokens: ProgramTokens
  signIns: SignIns
  resetLinks: Pick<ResetLinks, "make">
  people: Pick<People, "byIDs">
  linkLimit: LinkLimit
  /** Null when no mail server is configured. */
  sendMail: SendMail | null
  url: string
}

export function createTeamService(deps: TeamServiceDeps): TeamService {
  const { workspaces, offboardingIn, members, memberships, invitations, keys, tokens, signIns, resetLinks, people } =
    deps
  const { linkLimit, sendMail, url } = deps
  const mail = async (to: string | undefined, subject: string, lines: string[]) =>
    to !== undefined && sendMail !== null && (await sendMail({ to, subject, text: lines.join("\n\n") }))
  return {
    workspaces,
    members: members.list,
    setRole: members.setRole,
    remove: members.remove,
    async former({ caller }) {
      const hidden = (await (await offboardingIn(caller.workspace))?.hidden()) ?? new Map<string, number>()
      const present = new Set((await memberships.ofWorkspace(caller.workspace)).map(({ person }) => person))
      const gone = [...hidden].filter(([person]) => !present.has(person))
      const names = await people.byIDs(gone.map(([person]) => person))
      return gone.map(([person, count]) => ({ person, name: names.get(person)?.name ?? "", hidden: count }))
    },
    async openSessions(by, person) {
      const { workspace } = by.caller
      requireRank(by, "owner")
      if ((await memberships.ofWorkspace(workspace)).some((each) => each.person === person))
        throw new DocketError("already_member", "This is a member: they alone decide who sees their sessions.")
      return { opened: (await (await offboardingIn(workspace))?.open({ person, workspace })) ?? 0 }
    },
    async resetLink(by, person) {
      const to = (await people.byIDs([person])).get(person)?.email
      const { secret, expires } = await linkLimit.counted(by, to ?? person, () => resetLinks.make(by, person))
      const link = `${url}/reset#${secret}`
      const lines = [`${by.name} made a link for you to choose a new password. It works once, for a day:`, link]
      return { url: link, expires, mailed: await mail(to, "A new password for Docket", lines) }
    },
    invitations: ({ caller }) => invitations.list(caller.workspace),
    async invite(by, invited) {
      requireRank(by, invited.role)
      const inviter = { id: by.via === "token" ? null : by.caller.person, name: by.name }
      const { invitation, secret } = await linkLimit.counted(by, invited.email, () =>
        invitations.create(by.caller.workspace, inviter, invited),
      )
      const link = `${url}/join#${secret}`
      const lines = [`${by.name} invites you to Docket as ${invited.role}. The link works once, for a week:`, link]
      return { ...invitation, url: link, mailed: await mail(invited.email, `${by.name} invites you to Docket`, lines) }
    },
    cancelInvitation: ({ caller }, id) => invitations.cancel(caller.workspace, id),
    signIns: signIns.list,
    endSignIn: signIns.end,
    endOtherSignIns: signIns.endOthers,
    keys: keys.list,
    createKey: keys.create,
    revokeKey: keys.revoke,
    tokens: tokens.list,
    revokeToken: tokens.revoke,
  }
}
