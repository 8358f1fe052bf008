import { z } from "zod"

const Figure = z.object({
  name: z.string(),
  label: z.string(),
  unit: z.enum(["ms", "MiB", "×", ""]),
  /** Null when the measurement failed. */
  measured: z.number().nullable(),
  aim: z.number(),
})
export type Figure = z.infer<typeof Figure>

/** The machine that was measured. Results of different machines cannot be compared. */
const Machine = z.object({
  cpu: z.string(),
  cores: z.number(),
  memoryGiB: z.number(),
  system: z.string(),
  /** Version of Node. */
  node: z.string(),
  /** Number of running or waiting programs in the minute before: less than one on a quiet machine. */
  load: z.number(),
})

/** One file in bench/results: the results of a commit on a machine. */
export const Results = z.object({
  commit: z.string(),
  subject: z.string(),
  /** ISO 8601, at the end of the run. */
  date: z.string(),
  machine: Machine,
  figures: z.array(Figure),
})
export type Results = z.infer<typeof Results>
