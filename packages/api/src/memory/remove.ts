import { z } from "zod"
import { procedure } from "../trpc.ts"
import { MemoryRef } from "./input.ts"

export const removeMemory = procedure
  .input(z.object({ memory: MemoryRef }))
  .mutation(({ ctx, input }): Promise<void> => ctx.runtime.memory.remove(input.memory))
