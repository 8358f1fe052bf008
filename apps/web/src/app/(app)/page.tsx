export default function InboxPage() {
  return (
    <main>
      <h1>Docket</h1>
    </main>
  )
}
