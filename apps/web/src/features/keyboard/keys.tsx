"use client"

import { Kbd } from "../../ui/kbd.tsx"
import { useModKey } from "./use-mod-key.ts"

/** Keys that are pressed one after another, or together where the first is a modifier. */
export function Keys({ keys }: { keys: readonly string[] }) {
  const mod = useModKey()
  return keys.map((key, index) => <Kbd key={index}>{key === "Mod" ? mod : key}</Kbd>)
}
