// Passkeys, where the browser has them: signing in on the sign-in form, and adding one on the account's page.
// Without this script both pages work with passwords alone.
const form = document.querySelector("form[data-passkey]");
if (form && globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  const start = form.querySelector("[data-passkey-start]");
  const problem = form.querySelector("[data-passkey-problem]");

  const ask = async (address, body) => {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...body, password: undefined }),
    });
    const told = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(told.message), { told: told.message });
    return told;
  };

  const steps = {
    "sign-in": async () => {
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(await ask("/sign-in/passkey/options"));
      const credential = await navigator.credentials.get({ publicKey: options });
      return await ask("/sign-in/passkey", { answer: credential.toJSON() });
    },
    add: async () => {
      const options = await ask("/account/passkeys/options");
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const credential = await navigator.credentials.create({ publicKey });
      return await ask("/account/passkeys/add", { answer: credential.toJSON() });
    },
  };

  const run = async () => {
    problem.hidden = true;
    start.disabled = true;
    try {
      const { to } = await steps[form.dataset.passkey]();
      location.assign(to);
    } catch (error) {
      // what the service said; or the browser's own no: closed, timed out, nothing suitable
      problem.textContent = error.told ?? problem.dataset.passkeyProblem;
      problem.hidden = false;
      start.disabled = false;
    }
  };

  document.querySelector("[data-passkey-missing]")?.remove();
  form.hidden = false;
  start.hidden = false;
  if (form.dataset.passkey === "add") {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run();
    });
  } else start.addEventListener("click", run);
}
