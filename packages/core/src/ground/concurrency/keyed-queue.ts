/** Runs work after all earlier work with the same key has ended. */
export type InOrder = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedQueue(): InOrder {
  const tails = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(work)
    const tail = result.catch(() => {})
    tails.set(key, tail)
    void tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key)
    })
    return result
  }
}
