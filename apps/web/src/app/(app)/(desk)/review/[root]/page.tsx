import type { Metadata } from "next"
import { readPlace } from "../../../../../features/review-desk/desk/desk-place.ts"
import { readFirstDesk } from "../../../../../features/review-desk/first/read-first-desk.ts"
import { ReviewPage } from "../../../../../features/review-desk/review-page.tsx"

export const metadata: Metadata = { title: "Review" }

interface Props {
  params: Promise<{ root: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function RootReviewPage({ params, searchParams }: Props) {
  const { root } = await params
  const sent = await searchParams
  const place = readPlace({ get: (name) => [sent[name]].flat()[0] ?? null })
  return <ReviewPage rootID={root} first={await readFirstDesk(root, place)} />
}
