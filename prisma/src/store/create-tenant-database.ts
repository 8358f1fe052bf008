import type { Place } from "@docket/core/schema"
import type { TenantDatabase } from "@docket/core/store"
import { createUnreadableRows, type UnreadableRow } from "../row/unreadable-rows.ts"
import type { Database } from "../sql/database.ts"
import { type Program, query } from "../sql/program.ts"
import { createKnownLists } from "../tree/known-lists.ts"
import { type AccountTables, createAccountTables } from "./account-tables.ts"
import { type Adoption, adoptRows } from "./adopt-rows.ts"
import { createApiTokens } from "./api-tokens.ts"
import { createStore } from "./create-store.ts"
import { newestTime } from "./newest-time.ts"
import { nodeStore } from "./nodes.ts"
import { secretStore } from "./secrets.ts"
import { createTenantGate, type TenantGate } from "./tenant-gate.ts"
import { tenantOfLink } from "./tenant-of-link.ts"
import { listTenants, removeAccountsOf, removeTenant } from "./tenants.ts"
import { createWorkspaces } from "./workspaces.ts"

/** An open database, with the account tables for sign-in. */
export interface OpenedDatabase extends TenantDatabase {
  accounts: AccountTables
  /**
   * Transfers everything that one user did in a workspace to another user, in one transaction. No other process may
   * have the database open.
   */
  adopt(adoption: Adoption): Promise<number>
  /** Says where the trees without a place are worked on from now on. Returns their number. */
  settle(place: Place): Promise<number>
}

/** The interface of an open database. `onUnreadable` is called once for each row that is left out. */
export function createTenantDatabase(database: Database, onUnreadable: (row: UnreadableRow) => void): OpenedDatabase {
  const lists = createKnownLists()
  const unreadable = createUnreadableRows(onUnreadable)
  const gates = new Map<string, TenantGate>()
  const gateOf = (tenantID: string) => {
    const gate = gates.get(tenantID) ?? createTenantGate(database, tenantID)
    gates.set(tenantID, gate)
    return gate
  }
  return {
    store: (tenantID) => createStore(gateOf(tenantID).database, { tenantID, lists, unreadable }),
    tokens: createApiTokens(database, unreadable),
    links: { tenantOf: (secretHash) => database.read({ program: () => tenantOfLink(secretHash) }) },
    workspaces: createWorkspaces((tenantID) => gateOf(tenantID).database, database, unreadable),
    tenants: {
      list: () => database.read(listTenants),
      async remove(tenantID) {
        await gateOf(tenantID).close()
        // The gate stays closed until the rows are removed, so that a store created meanwhile writes nothing either.
        const remove = async () => {
          // Accounts go first: an interrupted removal is continued by a mark in the workspace's row, which goes last.
          await database.accounts.write((client) => removeAccountsOf(client, tenantID))
          await database.write((client) => removeTenant(client, tenantID))
        }
        await remove().finally(() => gates.delete(tenantID))
        lists.forget(tenantID)
      },
    },
    nodes: nodeStore(database, unreadable),
    secrets: secretStore(database),
    accounts: createAccountTables(database),
    adopt: (adoption) => database.write({ program: () => adoptRows(adoption) }),
    settle: (place) => database.write({ program: () => settleTrees(place) }),
    newestTime: () => database.read({ program: () => newestTime() }),
    close: database.close,
  }
}

function* settleTrees(place: Place): Program<number> {
  // Those of repositories are worked on anywhere, as their projects say.
  const anywhere = `SELECT p."place" FROM "Session" s JOIN "Project" p ON p."tenantID" = s."tenantID" AND p."id" = s."projectID"
    WHERE s."tenantID" = "Tree"."tenantID" AND s."id" = "Tree"."rootID" AND p."place" = 'any'`
  const sql = `UPDATE "Tree" SET "place" = COALESCE((${anywhere}), $1) WHERE "place" = '' RETURNING "rootID"`
  return (yield* query(sql, place)).length
}
