import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createKeyedQueue } from "@docket/core"
import type { Role } from "@docket/core/schema"
import { memoryVault } from "@docket/core/test/memory-vault"
import { openSqliteDatabase } from "@docket/db"
import { onTestFinished } from "vitest"
import { createAccounts } from "../create-accounts.ts"
import { createMemberships } from "../memberships.ts"
import { createOneTimeLinks } from "../one-time-links.ts"
import { createOrganizations } from "../organizations.ts"
import { createPeople } from "../people.ts"
import { readTeamSettings } from "../team-settings.ts"

/** The parts of accounts, on separate tables and without a service. */
export async function openTables() {
  const data = await mkdtemp(path.join(tmpdir(), "docket-accounts-"))
  const { accounts: tables, close } = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
  onTestFinished(async () => {
    await close()
    await rm(data, { recursive: true })
  })
  const settings = await readTeamSettings(memoryVault(), {
    DOCKET_AUTH: "team",
    DOCKET_URL: "https://docket.example.org",
  })
  if (settings === null || tables === undefined) throw new Error("no team")
  const accounts = createAccounts({
    tables,
    settings,
    secret: "s".repeat(43),
    log: () => undefined,
    beginsIn: () => null,
  })
  const context = await accounts.$context
  const [people, memberships] = [createPeople(context), createMemberships(context.adapter)]
  const organizations = createOrganizations(context.adapter, Date.now)
  const join = async (person: string, workspace: string, role: Role) => {
    await organizations.create(workspace, workspace)
    await memberships.add({ workspace, person, role }, new Date())
  }
  return {
    tables,
    accounts,
    context,
    people,
    memberships,
    inOrder: createKeyedQueue(),
    links: createOneTimeLinks(context, { inOrder: createKeyedQueue(), clock: Date.now }),
    join,
    /** A user with this role in the first workspace. */
    async person(name: string, role: Role): Promise<string> {
      const email = `${name.toLowerCase()}@example.org`
      const { id } = await people.create({ name, email, password: "a long password" }, false)
      await join(id, "local", role)
      return id
    },
  }
}
