// A table that draws only the rows in sight. Rows are reached by arrow keys: one of them at a time is in the tab order.

const OVERSCAN = 10;

class Table {
  /** `open(row, byKeyboard)` when a row is chosen, `move(row)` when another becomes the current one. */
  constructor(box, open, move) {
    this.box = box;
    this.open = open;
    this.move = move;
    this.columns = [];
    this.rows = [];
    this.unsorted = [];
    this.sort = null;
    this.current = 0;
    this.opened = null;
    this.from = 0;
    this.to = 0;
    this.table = null;
    box.addEventListener("scroll", () => this.scrolled());
    box.addEventListener("keydown", (e) => this.key(e));
    box.addEventListener("click", (e) => this.click(e));
    new ResizeObserver(() => this.draw(false)).observe(box);
  }

  /** Other columns: the table is made anew. */
  setColumns(columns, caption) {
    this.columns = columns;
    this.sort = null;
    this.current = 0;
    const head = el("tr", { "aria-rowindex": 1 });
    columns.forEach((column, i) => {
      const button = el("button", { type: "button", tabindex: i === 0 ? 0 : -1, "data-column": i, title: column.hint }, column.title);
      head.append(el("th", { scope: "col", class: column.number ? "number" : null }, button));
    });
    this.body = el("tbody");
    const widths = el("colgroup", null, ...columns.map((c) => {
      const col = el("col");
      col.style.width = c.width;
      return col;
    }));
    this.table = el("table", { "aria-label": caption }, widths, el("thead", null, head), this.body);
    this.table.style.minWidth = columns.length > 7 ? "980px" : "640px";
    this.box.replaceChildren(this.table);
    this.box.scrollTop = 0;
  }

  setRows(rows, empty) {
    const kept = this.rows[this.current];
    this.unsorted = rows;
    this.empty = empty;
    this.arrange(kept);
  }

  /** Sorts what is there; the current row stays current. */
  arrange(kept) {
    const { sort } = this;
    this.rows = this.unsorted;
    if (sort) {
      const value = this.columns[sort.column].value;
      const keyed = this.unsorted.map((row) => [value(row), row]);
      const way = sort.descending ? -1 : 1;
      // Stable: equal rows stay ranked.
      keyed.sort((a, b) => (a[0] < b[0] ? -way : a[0] > b[0] ? way : 0));
      this.rows = keyed.map((k) => k[1]);
    }
    this.current = Math.max(0, this.rows.indexOf(kept));
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    this.table.querySelectorAll("th").forEach((th, i) => {
      if (sort && sort.column === i) th.setAttribute("aria-sort", sort.descending ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    this.draw(true);
  }

  /** Ascending, descending, then as ranked again. */
  sortBy(column) {
    const { sort } = this;
    if (!sort || sort.column !== column) this.sort = { column, descending: false };
    else this.sort = sort.descending ? null : { column, descending: true };
    this.arrange(this.rows[this.current]);
  }

  height() {
    return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 26;
  }

  /** Which rows are in sight. */
  sight() {
    const height = this.rowHeight || (this.rowHeight = this.height());
    const first = Math.floor(this.box.scrollTop / height);
    const number = Math.ceil(this.box.clientHeight / height) + 1;
    return [Math.max(0, Math.min(first, this.rows.length)), Math.min(this.rows.length, first + number)];
  }

  scrolled() {
    const [first, last] = this.sight();
    if (first < this.from || last > this.to) this.draw(false);
  }

  draw(all) {
    if (!this.table) return;
    const [first, last] = this.sight();
    const from = Math.max(0, first - OVERSCAN);
    const to = Math.min(this.rows.length, last + OVERSCAN);
    if (!all && from === this.from && to === this.to) return;
    const focused = this.box.contains(document.activeElement) && !document.activeElement.closest("thead");
    this.from = from;
    this.to = to;
    const rows = [];
    const tabStop = this.current >= from && this.current < to ? this.current : first;
    for (let i = from; i < to; i++) rows.push(this.row(i, i === tabStop));
    this.body.replaceChildren(this.spacer(from), ...rows, this.spacer(this.rows.length - to));
    if (this.rows.length === 0) {
      this.body.replaceChildren(el("tr", null, el("td", { colspan: this.columns.length, class: "empty" }, this.empty())));
    }
    if (focused) this.focusCurrent();
  }

  spacer(rows) {
    const cell = el("td", { colspan: this.columns.length });
    cell.style.height = rows * this.rowHeight + "px";
    const row = el("tr", { class: "spacer", "aria-hidden": "true" }, cell);
    if (rows === 0) row.hidden = true;
    return row;
  }

  row(i, tabStop) {
    const item = this.rows[i];
    const cells = this.columns.map((column, c) => {
      const content = column.cell ? column.cell(item) : short(shown(column.value(item)), 300);
      const name = column.title_of ? short(shown(column.title_of(item)), 300) : null;
      const inner = c === 0 ? el("button", { type: "button", tabindex: tabStop ? 0 : -1, "aria-label": name }, content) : content;
      return el("td", { class: column.class, title: column.title_of ? short(shown(column.title_of(item)), 1000) : null }, inner);
    });
    const off = item.f && item.f.ignored_by;
    return el("tr", {
      class: off ? "row off" : "row", "data-index": i, "aria-rowindex": i + 2,
      "aria-current": item === this.opened ? "true" : null,
    }, ...cells);
  }

  /** Puts the focus on the current row, or on the table when that row is out of sight. */
  focusCurrent() {
    const button = this.body.querySelector(`tr[data-index="${this.current}"] button`);
    (button || this.box).focus({ preventScroll: true });
  }

  setOpened(item) {
    this.opened = item;
    for (const row of this.body.querySelectorAll("tr.row")) {
      if (this.rows[Number(row.dataset.index)] === item) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  /** Makes a row the current one and brings it into sight. */
  goTo(index, focus) {
    if (this.rows.length === 0) return;
    this.current = Math.max(0, Math.min(index, this.rows.length - 1));
    this.reveal();
    this.draw(true);
    if (focus) this.focusCurrent();
    this.move(this.rows[this.current]);
  }

  reveal() {
    const height = this.rowHeight;
    const head = this.table.tHead.offsetHeight;
    const top = this.current * height;
    const room = this.box.clientHeight - head - height;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top > this.box.scrollTop + room) this.box.scrollTop = top - room;
  }

  click(event) {
    const header = event.target.closest("thead button");
    if (header) {
      this.sortBy(Number(header.dataset.column));
      return;
    }
    const row = event.target.closest("tr.row");
    if (!row) return;
    this.current = Number(row.dataset.index);
    // A click made with the keyboard has no position.
    this.open(this.rows[this.current], event.detail === 0);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const header = event.target.closest("thead button");
    if (header ? this.headerKey(event, Number(header.dataset.column)) : this.rowKey(event)) event.preventDefault();
  }

  headerKey(event, column) {
    const last = this.columns.length - 1;
    const to = { ArrowLeft: Math.max(0, column - 1), ArrowRight: Math.min(last, column + 1), Home: 0, End: last }[event.key];
    if (event.key === "ArrowDown") {
      this.goTo(this.current, true);
      return true;
    }
    if (to === undefined) return false;
    this.focusHeader(to);
    return true;
  }

  focusHeader(column) {
    for (const button of this.table.querySelectorAll("thead button")) {
      button.tabIndex = Number(button.dataset.column) === column ? 0 : -1;
      if (button.tabIndex === 0) button.focus();
    }
  }

  rowKey(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 2);
    if (event.key === "ArrowUp" && this.current === 0) {
      this.focusHeader(0);
      return true;
    }
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length }[event.key];
    if (by === undefined || this.rows.length === 0) return false;
    this.goTo(this.current + by, true);
    return true;
  }
}
