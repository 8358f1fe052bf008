import { cardSize } from "../../../features/share/card-picture.tsx"
import { shareImage } from "../../../features/share/share-image.ts"
import type { SharePlace } from "../../../features/share/share-place.ts"

export const size = cardSize
export const contentType = "image/png"
export const alt = "Title and figures of a shared session"

export default async function Image({ params }: { params: Promise<SharePlace> }) {
  return shareImage(await params)
}
