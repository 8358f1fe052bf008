import { z } from "zod"

/** The version of the format. A reader refuses a higher one. */
export const formatVersion = 1
export const headName = "backup.json"
export const manifestName = "manifest.json"
/** Most bytes of one entry that is no file of the data directory. */
export const largestEntry = 1_073_741_824
/** Most bytes of rows in one entry, but for a single row that is longer. */
export const chunkBytes = 8_388_608

/** The first entry: what the file is, before anything else is read. */
export const BackupHead = z.strictObject({
  docket: z.string(),
  format: z.number().int().positive(),
  /** Epoch ms. */
  created: z.number(),
  /** The data directory that it is of. */
  data: z.string(),
  database: z.enum(["sqlite", "postgres"]),
  migrations: z.array(z.string()),
  withKeys: z.boolean(),
  /** Columns of each table, in the order in which rows have them. */
  tables: z.record(z.string(), z.array(z.string())),
})
export type BackupHead = z.infer<typeof BackupHead>

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The last entry: all that has to be in the file. */
export const BackupManifest = z.strictObject({
  head: sha256,
  tables: z.record(z.string(), z.strictObject({ rows: z.number().int().nonnegative(), sha256 })),
  directories: z.array(z.string()),
  files: z.array(z.strictObject({ path: z.string(), size: z.number().int().nonnegative(), sha256 })),
  /** What was not taken along, and why: by path or by table. */
  leftOut: z.record(z.string(), z.string()),
})
export type BackupManifest = z.infer<typeof BackupManifest>

/** Rows of a table as they stand in an entry: one a line. */
export const rowLines = (rows: readonly unknown[][]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

export const Row = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
