import Essentials
package import ModelDrawing
import XMLReading

/// Writes a picture as a page that stands alone: it can be moved and magnified, and boxes are found by name.
package func diagramPage(_ diagram: Diagram) -> String {
    let names = diagram.boxes.enumerated().map { index, box in
        "<li><a href=\"#box-\(index)\">\(markup(box.name))</a></li>"
    }
    let body = """
        <p class="faint">\(diagram.boxes.count.counted("box")), \(diagram.lines.count.counted("line")). Drag or use the arrow keys to move,
        Ctrl and the wheel, a pinch, or + and − to zoom; click a name to find its box.</p>
        <div class="sides">
        \(pictureFrame(diagram))
        <div class="list"><input type="search" placeholder="Find an entity" aria-label="Find an entity">
        <ul class="names">
        \(names.joined(separator: "\n"))
        </ul></div>
        </div>
        """
    return page(
        title: diagram.title ?? "Entities",
        description: "A diagram of \(diagram.boxes.count.counted("entity"))",
        style: pictureStyle,
        body: body,
        script: pictureScript
    )
}

/// The frame in which a picture is moved and magnified.
func pictureFrame(_ diagram: Diagram) -> String {
    """
    <div class="picture" tabindex="0" role="group" aria-label="diagram; arrow keys move it, plus and minus zoom">
    <div class="tools"><button data-zoom="1.25" aria-label="zoom in">+</button>\
    <button data-zoom="0.8" aria-label="zoom out">−</button><button data-zoom="0">fit</button></div>
    \(diagram.svg)
    </div>
    """
}

let pictureStyle = """
    body { max-width: none; margin: 1rem 0; }
    .sides { display: flex; flex-wrap: wrap; gap: 1rem; align-items: stretch; }
    .picture { flex: 5 1 40rem; position: relative; overflow: hidden; height: 85vh; min-width: 0;
      border: 1px solid var(--line); border-radius: 8px; touch-action: pan-x pan-y; cursor: grab; }
    .far .row, .far .rule, .far .line text { display: none; } .sought .box:not(.found) { opacity: .15; }
    .picture svg { display: block; width: 100%; height: 100%; }
    .tools { position: absolute; top: .5rem; right: .5rem; }
    .tools button, input { font: inherit; color: var(--ink); background: var(--box);
      border: 1px solid var(--line); border-radius: 6px; padding: .15rem .6rem; }
    .list { flex: 1 1 16rem; min-width: 0; max-height: 85vh; overflow: auto; }
    .list input { width: calc(100% - 1.4rem); }
    .list ul { padding-left: 1.1rem; } .list li { overflow-wrap: anywhere; }
    .names { list-style: none; } a { color: var(--link); text-decoration: none; }
    a:hover { text-decoration: underline; }
    @media (max-width: 40rem) { .picture { height: 60vh; } .list { max-height: none; } }
    """

/// Moves and zooms the picture by its view box, by a mouse or by fingers; without scripts the whole of it is seen.
let pictureScript = """
    const picture = document.querySelector('.picture svg');
    if (picture) {
      const frame = picture.parentElement;
      const whole = picture.getAttribute('viewBox').split(' ').map(Number);
      let view = whole.slice();
      const boxes = [...picture.querySelectorAll('.box')].map((box) => {
        const [frame, title] = [box.querySelector('.frame'), box.querySelector('.title')];
        const [width, height] = [Number(frame.getAttribute('width')), Number(frame.getAttribute('height'))];
        const size = Math.min(height * 0.7, width / (title.textContent.length * 0.62 + 0.6), 60);
        return { box, title, size: Math.max(12, size), middle: height / 2 };
      });
      // From afar rows are dust: names are drawn as large as their boxes allow.
      const show = () => {
        picture.setAttribute('viewBox', view.join(' '));
        const far = 12 / scale() < 8;
        picture.classList.toggle('far', far);
        boxes.forEach(({ title, size, middle }) => {
          title.style.fontSize = far ? size + 'px' : '';
          title.setAttribute('y', far ? middle + size * 0.35 : 17);
        });
      };
      const scale = () => Math.max(view[2] / frame.clientWidth, view[3] / frame.clientHeight);
      const zoom = (by, x, y) => {
        const width = Math.min(whole[2] * 4, Math.max(60, view[2] / by));
        const ratio = width / view[2];
        view = [x - (x - view[0]) * ratio, y - (y - view[1]) * ratio, width, view[3] * ratio];
        show();
      };
      const place = (event) => {
        const point = new DOMPoint(event.clientX, event.clientY);
        return point.matrixTransform(picture.getScreenCTM().inverse());
      };
      frame.addEventListener('wheel', (event) => {
        // The wheel alone scrolls the page.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const at = place(event);
        zoom(Math.exp(-event.deltaY / 400), at.x, at.y);
      }, { passive: false });
      const middle = () => [view[0] + view[2] / 2, view[1] + view[3] / 2];
      frame.addEventListener('keydown', (event) => {
        const step = 60 * scale();
        const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
        if (event.ctrlKey || event.metaKey || event.target !== frame) return;
        if (moves[event.key]) {
          view[0] += moves[event.key][0];
          view[1] += moves[event.key][1];
          show();
        } else if (event.key === '+' || event.key === '=') zoom(1.25, ...middle());
        else if (event.key === '-') zoom(0.8, ...middle());
        else if (event.key === '0') { view = whole.slice(); show(); }
        else return;
        event.preventDefault();
      });
      const held = new Map();
      frame.addEventListener('pointerdown', (event) => {
        // A finger alone scrolls the page; two fingers, a mouse or a pen move the picture.
        if (!event.target.closest('button')) held.set(event.pointerId, event);
      });
      for (const end of ['pointerup', 'pointercancel']) {
        window.addEventListener(end, (event) => held.delete(event.pointerId));
      }
      window.addEventListener('pointermove', (event) => {
        const last = held.get(event.pointerId);
        if (!last) return;
        const other = [...held.values()].find((finger) => finger.pointerId !== event.pointerId);
        if (other) {
          const from = (finger) =>
            Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
          const at = place(other);
          zoom(from(event) / Math.max(1, from(last)), at.x, at.y);
        } else if (event.pointerType !== 'touch') {
          view[0] -= (event.clientX - last.clientX) * scale();
          view[1] -= (event.clientY - last.clientY) * scale();
          show();
        }
        held.set(event.pointerId, event);
      });
      frame.querySelectorAll('button').forEach((button) => button.addEventListener('click', () => {
        const by = Number(button.dataset.zoom);
        if (by === 0) { view = whole.slice(); show(); }
        else zoom(by, ...middle());
      }));
      const goTo = (box) => {
        const bounds = box.getBBox();
        const middle = new DOMPoint(bounds.width / 2, bounds.height / 2).matrixTransform(
          picture.getScreenCTM().inverse().multiply(box.getScreenCTM()));
        const wide = Math.min(Math.max(bounds.width * 4, 700), frame.clientWidth * 1.1);
        const width = Math.min(whole[2], Math.max(bounds.width * 1.2, wide));
        const height = width * frame.clientHeight / frame.clientWidth;
        view = [middle.x - width / 2, middle.y - height / 2, width, height];
        show();
      };
      const find = () => {
        const box = /^#box-[0-9]+$/.test(location.hash) && document.querySelector(location.hash);
        if (!box) return;
        goTo(box);
        frame.scrollIntoView({ block: 'nearest' });
      };
      window.addEventListener('hashchange', find);
      // A picture that is too large to be read as a whole begins at its upper left corner, at a size that can be.
      if (12 / scale() < 9 && frame.clientWidth > 0) {
        view = [whole[0], whole[1], frame.clientWidth * 1.2, frame.clientHeight * 1.2];
      }
      show();
      find();
      window.seek = (text) => {
        const found = text ? boxes.filter(({ box }) => box.textContent.toLowerCase().includes(text)) : [];
        picture.classList.toggle('sought', found.length > 0);
        boxes.forEach((item) => item.box.classList.toggle('found', found.includes(item)));
        if (found.length === 1) goTo(found[0].box);
      };
    }
    const search = document.querySelector('input[type=search]');
    if (search) search.addEventListener('input', () => {
      const text = search.value.toLowerCase();
      document.querySelectorAll('.names li').forEach((item) => {
        item.hidden = !item.textContent.toLowerCase().includes(text);
      });
      if (window.seek) window.seek(text);
    });
    const chosen = new Set();
    document.querySelectorAll('button[data-verdict]').forEach((button) => {
      button.addEventListener('click', () => {
        const verdict = button.dataset.verdict;
        if (!chosen.delete(verdict)) chosen.add(verdict);
        button.setAttribute('aria-pressed', chosen.has(verdict));
        document.querySelectorAll('li[data-verdict]').forEach((item) => {
          item.hidden = chosen.size > 0 && !chosen.has(item.dataset.verdict);
        });
        document.querySelectorAll('section.entity').forEach((part) => {
          part.hidden = !part.querySelector('li:not([hidden])');
        });
      });
    });
    """
