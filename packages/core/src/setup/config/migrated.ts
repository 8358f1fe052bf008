/** Something that has no counterpart, or that is to be known. */
export interface MigrationNote {
  file: string
  /** Key or rule in the file; empty where it is about the whole. */
  key: string
  message: string
}

/** Settings of another program in Docket's words. */
export interface Migrated {
  config: Record<string, unknown>
  notes: MigrationNote[]
}
