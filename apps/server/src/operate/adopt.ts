import { DocketError } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import type { OpenedDatabase } from "@docket/db"
import { z } from "zod"
import type { Outcome, Report } from "./operation.ts"
import { withDatabase } from "./with-database.ts"

export interface Adopt {
  data: string
  /** Email of the new owner; null for the only one. */
  email: string | null
  database: string | null
}

/** The workspace of local mode, which becomes the first workspace of a team. */
const firstWorkspace = "local"
const Members = z.array(z.object({ user: z.object({ id: z.string(), email: z.string(), name: z.string() }) }))

/**
 * Gives an owner what was done before there were accounts. The workspace already belongs to them; now the rows name
 * them too.
 * @throws data_directory_locked, invalid_input, store_unavailable
 */
export async function adopt({ data, email, database }: Adopt, report: Report): Promise<Outcome> {
  return withDatabase({ data, database }, async (opened) => {
    const owner = await findOwner(opened, email)
    report(`${owner.name} (${owner.email}) is the owner`)
    const rows = await opened.adopt({ tenantID: firstWorkspace, from: localPerson, to: owner.id })
    const words =
      rows === 0
        ? "No row names the user from before there were accounts: there is nothing to change."
        : `What was done before there were accounts is ${owner.name}'s now: ${rows} rows.`
    return { words, facts: { rows, owner: owner.email } }
  })
}

async function findOwner({ accounts }: OpenedDatabase, email: string | null) {
  const found = await accounts.client.authMember.findMany?.({
    where: { organizationId: firstWorkspace, role: "owner" },
    include: { user: true },
  })
  const owners = Members.parse(found).map(({ user }) => user)
  const [owner, another] = owners.filter((each) => email === null || each.email === email.toLowerCase())
  if (owner === undefined) {
    const words =
      owners.length === 0
        ? "the team has no owner yet. Start Docket, open the link that it prints, stop it, and run this again."
        : `${email} is no owner. Owners are ${owners.map((each) => each.email).join(", ")}.`
    throw new DocketError("invalid_input", words)
  }
  if (another !== undefined)
    throw new DocketError(
      "invalid_input",
      `choose one of the owners with --as: ${owners.map((each) => each.email).join(", ")}`,
    )
  return owner
}
