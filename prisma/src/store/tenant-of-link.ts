import { type Program, query } from "../sql/program.ts"

/** Raw SQL in place of a call of Prisma's client, because every request of a share link begins with it. */
export function* tenantOfLink(secretHash: string): Program<string | null> {
  const [row] = yield* query(`SELECT "tenantID" FROM "Share" WHERE "secretHash" = $1`, secretHash)
  return typeof row?.tenantID === "string" ? row.tenantID : null
}
