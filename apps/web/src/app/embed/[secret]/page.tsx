import type { Metadata } from "next"
import type { SharePageProps } from "../../../features/share/read-shared-page.ts"
import { shareMetadata } from "../../../features/share/share-metadata.ts"
import { SharePage } from "../../../features/share/share-page.tsx"

interface Props {
  params: Promise<{ secret: string }>
  searchParams: Promise<SharePageProps["search"]>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return shareMetadata(await params)
}

export default async function Page({ params, searchParams }: Props) {
  return <SharePage {...(await params)} search={await searchParams} compact />
}
