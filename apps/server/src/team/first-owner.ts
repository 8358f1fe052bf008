import { DocketError, type InOrder } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import { linkGone, type OneTimeLinks } from "./one-time-links.ts"
import type { Organizations } from "./organizations.ts"
import type { NewPerson, People, Person } from "./people.ts"

/** The workspace of the first owner. It is the one of local mode, so they own its earlier content. */
export const firstWorkspace = "local"

export interface FirstOwnerDeps {
  organizations: Organizations
  people: People
  memberships: Memberships
  links: OneTimeLinks
  inOrder: InOrder
  url: string
  clock(): number
}

export interface FirstOwner {
  /** A link with which the first owner creates their account; null when the workspace has an owner. */
  link(): Promise<string | null>
  /** Whether the link is valid and the workspace still has no owner. */
  isWaiting(secret: string): Promise<boolean>
  /** @throws link_not_found when the link is invalid, or was used meanwhile */
  create(secret: string, person: NewPerson, workspaceName: string): Promise<Person>
}

export function createFirstOwner({
  organizations,
  people,
  memberships,
  links,
  inOrder,
  url,
  clock,
}: FirstOwnerDeps): FirstOwner {
  const hasOwner = async () => (await memberships.ofWorkspace(firstWorkspace)).some(({ role }) => role === "owner")
  return {
    async link() {
      if (await hasOwner()) return null
      const { secret } = await links.create("first-owner", firstWorkspace)
      return `${url}/welcome#${secret}`
    },
    isWaiting: async (secret) => !(await hasOwner()) && (await links.look("first-owner", secret)) !== null,
    create: (secret, person, workspaceName) =>
      inOrder(firstWorkspace, async () => {
        if ((await hasOwner()) || (await links.look("first-owner", secret)) === null) throw linkGone()
        const owner = await ownerOf(people, person)
        await organizations.create(firstWorkspace, workspaceName)
        await people.setOperator(owner.id, true)
        await memberships.add({ workspace: firstWorkspace, person: owner.id, role: "owner" }, new Date(clock()))
        await links.consume("first-owner", secret)
        return owner
      }),
  }
}

/** An interrupted attempt may have left the account: with the same password, it is the same person. */
async function ownerOf(people: People, person: NewPerson): Promise<Person> {
  const known = await people.byEmail(person.email)
  if (known === null) return people.create(person, true)
  if (await people.hasPassword(known.id, person.password)) return known
  throw new DocketError("wrong_password", "This address has an account, and the password is not its own.")
}
