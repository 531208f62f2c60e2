// Forms with data-ask, or buttons of forms with it, ask before they are sent. A form that is sent twice at once, as by a
// double click, is sent once.
//
// It runs before the page is shown, unlike modules: nothing can be pressed that does not ask yet.

{
  const PAUSE = 2000; // milliseconds
  const agreed = new WeakSet();
  const sent = new WeakSet();
  let isAsking = false;
  let ask = null;
  const loading = import("./dialogs.js").then(
    (dialogs) => (ask = dialogs.ask),
    () => (ask = ({ title }) => confirm(title)),
  );

  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const asking = submitter?.dataset.ask ? submitter : form.dataset.ask ? form : null;
    if (!asking || event.defaultPrevented || agreed.delete(form)) return;
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    if (!ask) await loading;
    const { ask: title, askText: text, askLabel: label } = asking.dataset;
    const isAgreed = await ask({ title, text, label: label || submitter?.textContent.trim(), danger: "askDanger" in asking.dataset });
    isAsking = false;
    if (!isAgreed) return;
    agreed.add(form);
    form.requestSubmit(submitter);
  });

  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    if (event.defaultPrevented || form.method !== "post") return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    // Scripts that send it in a way of their own prevent this one later.
    setTimeout(() => {
      if (event.defaultPrevented) return;
      sent.add(form);
      setTimeout(() => sent.delete(form), PAUSE);
    });
  });
}
