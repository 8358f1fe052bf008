import type { UseCases } from "@docket/core"
import type { Capability } from "@docket/core/operations"
import { may } from "../access/may.ts"
import { describeMe, type Me } from "../access/me.ts"
import type { Auth } from "../auth/auth.ts"
import type { Credentials } from "../auth/credentials.ts"
import type { Member, TeamService } from "../team/team-service.ts"
import { useCasesOf, type Workspaces } from "../workspaces.ts"

/** Who reads a page, and with whom they share the workspace. */
export interface PageOwner {
  me: Me
  /** The people of the workspace; null without accounts, or with too many people to send along. */
  members: Member[] | null
}

/** The use cases that pages read, bound to their reader. */
export interface PageReads {
  session: Pick<UseCases["session"], "tree" | "messages" | "list">
  review: Pick<UseCases["review"], "overview" | "awaiting" | "inbox">
  task: Pick<UseCases["task"], "get">
  todo: Pick<UseCases["todo"], "proposed">
  project: Pick<UseCases["project"], "list">
  agent: Pick<UseCases["agent"], "list">
  config: Pick<UseCases["config"], "get">
}

/** Reads what pages show in the process that also serves the API, for the person who is signed in. */
export interface PageReader {
  /** Null when nobody is signed in. */
  reader(request: Credentials): Promise<PageOwner | null>
  /** Null when the caller may not read. */
  reads(request: Credentials): Promise<PageReads | null>
}

interface PageReaderDeps {
  workspaces: Workspaces
  auth: Auth
  /** Null for a service without accounts. */
  team: Pick<TeamService, "members"> | null
}

/** Maximum number of people that are sent along with a page. */
const mostMembers = 200

/** Reads as the person who is signed in. Pages check the login before; each read checks it here again. */
export function createPageReader({ workspaces, auth, team }: PageReaderDeps): PageReader {
  return {
    async reader(request) {
      const identity = await auth.identify(request)
      if (identity === null) return null
      const members = team !== null && may(identity, "read") ? await team.members(identity) : []
      const isShort = team !== null && members.length <= mostMembers
      return { me: describeMe(identity, team !== null), members: isShort ? members : null }
    },
    async reads(request) {
      const identity = await auth.identify(request)
      if (identity === null || !may(identity, "read")) return null
      const useCases = await useCasesOf(workspaces, identity)
      const asker = { may: (capability: Capability) => may(identity, capability) }
      const { agent, config } = useCases
      return {
        ...useCases,
        agent: { list: (input) => agent.list(input, asker) },
        config: { get: (input) => config.get(input, asker) },
      }
    },
  }
}
