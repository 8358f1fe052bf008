/** Returns a function that makes a thing on its first call, and gives the same thing on all later calls. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
