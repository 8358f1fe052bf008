/** A program that takes a place, while it does. */
export interface PlacedProgram {
  /** How much waits for it: checks, calls. */
  waiting: number
  /** Monotonic ms. */
  usedAt: number
  stop(): void
}

/** The places of all programs of one kind in a service. */
export interface ProgramRoom {
  /**
   * Takes a place, for which the idle program that was used least lately is stopped. Call the returned function when the
   * program is over.
   * @throws Error when all programs are at work
   */
  enter(program: PlacedProgram): () => void
}

/**
 * @param most programs that run at once, whatever their workspace
 * @param names what they are called, more than one
 */
export function createProgramRoom({ most, names }: { most: number; names: string }): ProgramRoom {
  const placed = new Set<PlacedProgram>()
  return {
    enter(program) {
      if (placed.size >= most) {
        const [idle] = [...placed].filter(({ waiting }) => waiting === 0).sort((a, b) => a.usedAt - b.usedAt)
        if (idle === undefined) throw new Error(`${most} ${names} are at work; none more is started`)
        placed.delete(idle)
        idle.stop()
      }
      placed.add(program)
      return () => void placed.delete(program)
    },
  }
}
