/** Does the work as soon as less is under way; null when too much waits already: it is not done then. */
export type FewAtOnce = <T>(work: () => Promise<T>) => Promise<T> | null

/** Does no more than so much at once, and lets no more than so much wait. */
export function createFewAtOnce({ atOnce, waiting }: { atOnce: number; waiting: number }): FewAtOnce {
  const queue: (() => void)[] = []
  let underWay = 0
  const next = () => {
    underWay -= 1
    queue.shift()?.()
  }
  const begun = () => {
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
  return (work) => (underWay >= atOnce && queue.length >= waiting ? null : begun().then(work).finally(next))
}
