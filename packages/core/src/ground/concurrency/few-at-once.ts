/** Begins the work once fewer than `atOnce` others run. Null, without ever doing it, when too many wait already. */
export type FewAtOnce = <T>(work: () => Promise<T>) => Promise<T> | null

/** Runs at most `atOnce` pieces of work at once, and lets at most `waiting` more wait, in order. */
export function createFewAtOnce({ atOnce, waiting }: { atOnce: number; waiting: number }): FewAtOnce {
  const queue: (() => void)[] = []
  let underWay = 0
  const endOne = () => {
    underWay -= 1
    queue.shift()?.()
  }
  const beginOne = () => {
    if (underWay < atOnce) {
      underWay += 1
      return Promise.resolve()
    }
    return new Promise<void>((resolve) => {
      queue.push(() => {
        underWay += 1
        resolve()
      })
    })
  }
  return (work) => (underWay >= atOnce && queue.length >= waiting ? null : beginOne().then(work).finally(endOne))
}
