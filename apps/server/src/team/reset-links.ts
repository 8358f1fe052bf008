import type { Identity } from "@docket/api"
import { DocketError, type InOrder, isDocketError } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import { linkGone, type OneTimeLinks } from "./one-time-links.ts"
import type { People } from "./people.ts"
import { requireRank, requireStill, rightsOf } from "./rights-now.ts"

export interface ResetLinksDeps {
  links: OneTimeLinks
  people: Pick<People, "operators">
  memberships: Pick<Memberships, "ofPerson" | "ofWorkspace">
  inOrder: InOrder
}

/** The creator of a link and their workspace; null for the service's own token. */
type Maker = Identity["caller"] | null

interface ResetLink {
  person: string
  /** Whether an operator created it. */
  isByOperator: boolean
}

/**
 * Links for a new password. A link gives its creator access to all of the user's workspaces. So it works only while the
 * creator still has authority over this user.
 */
export function createResetLinks({ links, people, memberships, inOrder }: ResetLinksDeps) {
  const isOperator = async (person: string) => (await people.operators()).some((each) => each.person === person)
  const opensMore = async (person: string) =>
    (await memberships.ofPerson(person)).length > 1 || (await isOperator(person))
  /** Checks the current rights of a member over another one. @throws role_forbidden, person_not_found */
  const requireMaker = async (maker: NonNullable<Maker>, person: string): Promise<Omit<ResetLink, "person">> => {
    const all = await memberships.ofWorkspace(maker.workspace)
    const membershipOf = (id: string) => all.find((each) => each.person === id)
    const rights = { role: membershipOf(maker.person)?.role ?? "viewer" } as const
    requireStill(rights, "people.manage")
    const theirs = membershipOf(person)
    if (theirs === undefined) throw new DocketError("person_not_found", "Nobody of this workspace has that id.")
    requireRank(rights, theirs.role)
    if (await isOperator(maker.person)) return { isByOperator: true }
    if (await opensMore(person))
      throw new DocketError(
        "role_forbidden",
        "This account opens more than this workspace. Who runs the service makes the link: docket team reset.",
      )
    return { isByOperator: false }
  }
  /** Checks that the creator could still make the link. @throws link_not_found */
  const requireValid = async (person: string, maker: Maker): Promise<ResetLink> => {
    try {
      return { person, ...(maker === null ? { isByOperator: true } : await requireMaker(maker, person)) }
    } catch (error) {
      throw isDocketError(error) ? linkGone() : error
    }
  }
  const find = async (secret: string) => {
    const found = await links.look("reset", secret)
    if (found === null) throw linkGone()
    const [workspace, maker] = found.more
    return { person: found.about, maker: workspace && maker ? { workspace, person: maker } : null }
  }
  return {
    /** Ends earlier links for this user. @throws role_forbidden, person_not_found */
    make: ({ caller, via }: Identity, person: string) =>
      inOrder(caller.workspace, async () => {
        if (via === "token") return await links.replace("reset", person)
        await requireMaker(caller, person)
        return await links.replace("reset", person, [caller.workspace, caller.person])
      }),
    /** @throws link_not_found */
    async look(secret: string): Promise<ResetLink> {
      const { person, maker } = await find(secret)
      return await requireValid(person, maker)
    },
    /** Lets the holder of the link set a password, once. @throws link_not_found */
    async use(secret: string, work: (link: ResetLink) => Promise<void>): Promise<void> {
      const { person, maker } = await find(secret)
      const takeLink = () =>
        inOrder(rightsOf(person), async () => {
          const link = await requireValid(person, maker)
          if ((await links.consume("reset", secret)) === null) throw linkGone()
          await work(link)
          await links.endOf("reset", person)
        })
      await (maker === null ? takeLink() : inOrder(maker.workspace, takeLink))
    },
    /** Ends all links for this user. */
    endOf: (person: string) => links.endOf("reset", person),
  }
}

export type ResetLinks = ReturnType<typeof createResetLinks>
