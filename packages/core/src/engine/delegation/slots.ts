/** Who may run now. Counted per parent, so that nested tasks never wait for a slot that their ancestor holds. */
export interface Slots {
  /**
   * Resolves when the task may run. Waiting tasks of one parent start in the order of their numbers, which is that
   * of their calls: one whose worktree took its time does not lose its turn by that.
   */
  take(parentID: string, taskID: string, place: { number: number; limit: number }): Promise<void>
  isWaiting(parentID: string, taskID: string): boolean
  release(parentID: string): void
  /** Takes a waiting task out; false when it already runs. */
  leave(parentID: string, taskID: string): boolean
}

interface Lane {
  running: number
  waiting: { taskID: string; number: number; limit: number; start: () => void }[]
}

export function createSlots(): Slots {
  const lanes = new Map<string, Lane>()
  const laneOf = (parentID: string): Lane => {
    const lane = lanes.get(parentID) ?? { running: 0, waiting: [] }
    lanes.set(parentID, lane)
    return lane
  }
  const advance = (parentID: string) => {
    const lane = laneOf(parentID)
    const next = lane.waiting[0]
    if (next !== undefined && lane.running < next.limit) {
      lane.waiting.shift()
      lane.running += 1
      next.start()
      advance(parentID)
    } else if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(parentID)
  }
  return {
    take(parentID, taskID, { number, limit }) {
      return new Promise((resolve) => {
        const { waiting } = laneOf(parentID)
        const behind = waiting.findIndex((entry) => entry.number > number)
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { taskID, number, limit, start: resolve })
        advance(parentID)
      })
    },
    isWaiting: (parentID, taskID) => lanes.get(parentID)?.waiting.some((entry) => entry.taskID === taskID) ?? false,
    release(parentID) {
      laneOf(parentID).running -= 1
      advance(parentID)
    },
    leave(parentID, taskID) {
      const lane = laneOf(parentID)
      const at = lane.waiting.findIndex((entry) => entry.taskID === taskID)
      if (at >= 0) lane.waiting.splice(at, 1)
      advance(parentID)
      return at >= 0
    },
  }
}
