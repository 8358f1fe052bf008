import type { Metadata } from "next"
import { ReviewPage } from "../../../../../features/review-desk/review-page.tsx"

export const metadata: Metadata = { title: "Review" }

export default async function RootReviewPage({ params }: { params: Promise<{ root: string }> }) {
  const { root } = await params
  return <ReviewPage rootID={root} />
}
