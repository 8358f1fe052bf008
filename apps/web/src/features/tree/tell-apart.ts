/**
 * Makes the names under `key` unique: repeated ones get a number, "Find callers · 2". The first stays as it is, so that
 * its name does not change when another one arrives.
 */
export function tellApart<Key extends string>(rows: readonly Record<Key, string>[], key: Key): void {
  const before = new Map<string, number>()
  for (const row of rows) {
    const name = row[key]
    const count = (before.get(name) ?? 0) + 1
    before.set(name, count)
    if (count > 1) row[key] = `${name} · ${count}` as Record<Key, string>[Key]
  }
}
