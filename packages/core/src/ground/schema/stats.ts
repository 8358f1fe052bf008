import { z } from "zod"
import { ProjectID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"

/** A day, as `2026-11-30`. */
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

/** What was done and spent. */
const WorkFigures = z.object({
  /** Prompts that were worked on, those of tasks too. */
  turns: z.number().int().nonnegative(),
  /** How many of them failed. */
  failed: z.number().int().nonnegative(),
  /** How long they took together (ms), from their beginning to their end. */
  duration: z.number().nonnegative(),
  /** Answers of models; a turn mostly has several. */
  answers: z.number().int().nonnegative(),
  /** USD, of the answers. */
  cost: z.number().nonnegative(),
  tokens: TokenUsage,
})
export type WorkFigures = z.infer<typeof WorkFigures>

/** What was done and spent on some days, by day, model, agent and project. Each list has the most recent or dearest first. */
export const SessionStats = z.object({
  from: Day,
  to: Day,
  total: WorkFigures,
  days: z.array(WorkFigures.extend({ day: Day })),
  models: z.array(WorkFigures.extend({ model: ModelRef })),
  agents: z.array(WorkFigures.extend({ agent: z.string() })),
  projects: z.array(WorkFigures.extend({ projectID: ProjectID })),
})
export type SessionStats = z.infer<typeof SessionStats>
