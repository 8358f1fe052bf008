import { z } from "zod"

/** The version of the format. A reader refuses a newer one. */
export const formatVersion = 1
export const headName = "backup.json"
export const manifestName = "manifest.json"
/** Size limit of an entry that is not a file of the data directory (bytes). */
export const largestEntry = 1_073_741_824
/** Size limit of an entry with rows (bytes), unless a single row is longer. */
export const chunkBytes = 8_388_608

/** The first entry: describes the backup, before anything else is read. */
export const BackupHead = z.strictObject({
  docket: z.string(),
  format: z.number().int().positive(),
  /** Epoch ms. */
  created: z.number(),
  /** The backed-up data directory. */
  data: z.string(),
  database: z.enum(["sqlite", "postgres"]),
  migrations: z.array(z.string()),
  withKeys: z.boolean(),
  /** Columns of each table, in the order of the values in its rows. */
  tables: z.record(z.string(), z.array(z.string())),
})
export type BackupHead = z.infer<typeof BackupHead>

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The last entry: everything that must be in the file. */
export const BackupManifest = z.strictObject({
  head: sha256,
  tables: z.record(z.string(), z.strictObject({ rows: z.number().int().nonnegative(), sha256 })),
  directories: z.array(z.string()),
  files: z.array(z.strictObject({ path: z.string(), size: z.number().int().nonnegative(), sha256 })),
  /** What was left out, and why: by path or by table. */
  leftOut: z.record(z.string(), z.string()),
})
export type BackupManifest = z.infer<typeof BackupManifest>

/** The text of an entry with rows: one row per line. */
export const rowLines = (rows: readonly unknown[][]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

export const Row = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
