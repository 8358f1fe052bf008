import type { Metadata } from "next"
import { shareMetadata } from "../../../../../features/share/share-metadata.ts"
import { SharePage, type SharePageProps } from "../../../../../features/share/share-page.tsx"

interface Props {
  params: Promise<{ secret: string; child: string }>
  searchParams: Promise<SharePageProps["search"]>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { secret, child } = await params
  return shareMetadata(secret, child)
}

export default async function Page({ params, searchParams }: Props) {
  const { secret, child } = await params
  return <SharePage secret={secret} child={child} search={await searchParams} />
}
