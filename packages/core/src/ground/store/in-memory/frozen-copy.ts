const known = new WeakSet<object>()

/**
 * A deeply frozen copy of JSON data, with `undefined` fields left out as a JSON column would. A value that
 * came from here is returned as it is, so reading and writing back costs nothing.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || known.has(value)) return value
  const copy: object = Array.isArray(value) ? value.map(frozenCopy) : copyFields(value)
  known.add(Object.freeze(copy))
  // The copy has the fields of `value`; the compiler cannot follow that through the loop.
  return copy as T
}

function copyFields(value: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    // defineProperty: a JSON key may be called __proto__.
    if (field !== undefined) {
      if (key === "__proto__") Object.defineProperty(copy, key, { value: frozenCopy(field), enumerable: true })
      else copy[key] = frozenCopy(field)
    }
  }
  return copy
}
