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

/** Where figures were measured. Those of different machines say nothing about each other. */
const Machine = z.object({
  cpu: z.string(),
  cores: z.number(),
  memoryGiB: z.number(),
  system: z.string(),
  /** Version of Node. */
  node: z.string(),
  /** Programs that worked or waited to in the minute before: a quiet machine has less than one. */
  load: z.number(),
})

/** One file of bench/results: the figures of a commit on a machine. */
export const Results = z.object({
  commit: z.string(),
  subject: z.string(),
  /** ISO 8601, of the end of the run. */
  date: z.string(),
  machine: Machine,
  figures: z.array(Figure),
})
export type Results = z.infer<typeof Results>
