// What stands in place of everything while there is no server to ask: it is asked, it is gone, or it does not know us.
import { start } from "../actions";
import { useStore } from "../store";

export function NoServer() {
  const server = useStore((s) => s.server);
  if (server === "starting") return <p class="notice" role="status">asking the server …</p>;
  if (server === "no-token")
    return (
      <main class="notice">
        <h1>surety</h1>
        <p>
          This page needs the whole address that <code>surety serve</code> printed in its terminal. It begins with{" "}
          <code>{location.origin}/#t=</code> and is another one each time the server starts.
        </p>
        <p class="dim">If no terminal shows it any more: end the server with Ctrl-C and start it again.</p>
      </main>
    );
  return null;
}

export function Gone() {
  const server = useStore((s) => s.server);
  if (server !== "gone") return null;
  return (
    <div class="gone" role="alert">
      <span>
        <strong>The server does not answer.</strong> Your text is kept in this browser. Start it again with{" "}
        <code>surety serve</code>, and open the address that it prints.
      </span>
      <button onClick={() => void start()}>try again</button>
    </div>
  );
}
