import type { Memory } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { MemoryRef } from "./input.ts"

/** Says that an entry no longer holds. It stays readable. */
export const invalidateMemory = procedure
  .input(z.object({ memory: MemoryRef }))
  .mutation(({ ctx, input }): Promise<Memory> => ctx.runtime.memory.invalidate(input.memory))
