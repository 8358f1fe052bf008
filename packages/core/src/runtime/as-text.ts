import { deserialize, serialize } from "node:v8"

/** Everything that operations take and answer with, bytes and dates too, as text. */
export function asText(value: unknown): string {
  return serialize(value).toString("base64")
}

/** `as`: the text comes from `asText`, perhaps of another node, through the database that all of them trust. */
export function fromText<T>(text: string): T {
  return deserialize(Buffer.from(text, "base64")) as T
}
