import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { ImageResponse } from "next/og"
import { CardPicture, cardSize } from "./card-picture.tsx"
import type { ShareCard } from "./share-card.ts"

/** Number of cached images. */
const capacity = 100

const images = new Map<string, Promise<Buffer>>()
let last: Promise<unknown> = Promise.resolve()

/** The card as PNG. Equal cards are drawn once, and one card at a time, because drawing uses the whole processor. */
export function drawCard(card: ShareCard): Promise<Buffer> {
  const name = cardName(card)
  const cached = images.get(name)
  const drawn = cached ?? inTurn(() => draw(card))
  images.delete(name)
  images.set(name, drawn)
  if (cached === undefined) drawn.catch(() => images.delete(name))
  const [oldest] = images.keys()
  if (images.size > capacity && oldest !== undefined) images.delete(oldest)
  return drawn
}

/** A hash of everything on the card, to identify its image. */
export function cardName(card: ShareCard): string {
  return createHash("sha256").update(JSON.stringify(card)).digest("base64url").slice(0, 22)
}

function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const next = last.then(run, run)
  last = next.catch(() => undefined)
  return next
}

async function draw(card: ShareCard): Promise<Buffer> {
  const fonts = await loadFonts()
  const response = new ImageResponse(<CardPicture card={card} />, { ...cardSize, fonts })
  return Buffer.from(await response.arrayBuffer())
}

let loaded: ReturnType<typeof readFonts> | null = null

function loadFonts(): ReturnType<typeof readFonts> {
  loaded ??= readFonts()
  return loaded
}

async function readFonts() {
  const [sans, strong, mono] = await Promise.all([
    readFile(new URL("../../../node_modules/@fontsource/geist/files/geist-latin-400-normal.woff", import.meta.url)),
    readFile(new URL("../../../node_modules/@fontsource/geist/files/geist-latin-600-normal.woff", import.meta.url)),
    readFile(
      new URL("../../../node_modules/@fontsource/geist-mono/files/geist-mono-latin-400-normal.woff", import.meta.url),
    ),
  ])
  return [
    { name: "Geist", data: sans, weight: 400 as const },
    { name: "Geist", data: strong, weight: 600 as const },
    { name: "Geist Mono", data: mono, weight: 400 as const },
  ]
}
