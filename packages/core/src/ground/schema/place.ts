import { z } from "zod"
import { idPrefix } from "./id-prefix.ts"

const host = `host:${idPrefix.host}_[0-9a-f]{12}[0-9A-Za-z]{14}`
const storage = "storage:[a-z0-9][a-z0-9-]{0,62}"

/**
 * Where the files of a project are: on one host, on storage that hosts share, or anywhere (they are fetched where the
 * work is done).
 */
export const Place = z.string().regex(new RegExp(`^(?:${host}|${storage}|any)$`), {
  error: "expected host:<id of a host>, storage:<label in small letters> or any",
})
export type Place = z.infer<typeof Place>
