import { z } from "zod"

/** A schedule by id or by its number. */
export const ScheduleRef = z.union([z.string().min(1).max(100), z.number().int().positive()])

/** A phrase or five cron fields. */
export const When = z.string().trim().min(1).max(500)
