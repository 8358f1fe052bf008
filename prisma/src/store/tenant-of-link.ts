import { type Program, query } from "../sql/program.ts"

/** A program for speed: every request of a share link begins with it. */
export function* tenantOfLink(secretHash: string): Program<string | null> {
  const [row] = yield* query(`SELECT "tenantID" FROM "Share" WHERE "secretHash" = $1`, secretHash)
  return typeof row?.tenantID === "string" ? row.tenantID : null
}
