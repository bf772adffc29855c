import Essentials
package import ModelDrawing
import XMLReading

/// Writes a picture as a page that stands alone: it can be moved and magnified, and boxes are found by name.
package func diagramPage(_ diagram: Diagram) -> String {
    let names = diagram.boxes.enumerated().map { index, box in
        "<li><a href=\"#box-\(index)\">\(markup(box.name))</a></li>"
    }
    let body = """
        <p class="faint">\(diagram.boxes.count.counted("box")), \(diagram.lines.count.counted("line")). Turn the wheel or pinch to zoom,
        drag to move, click a name to find its box.</p>
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
        style: pictureStyle,
        body: body,
        script: pictureScript
    )
}

/// The frame in which a picture is moved and magnified.
func pictureFrame(_ diagram: Diagram) -> String {
    """
    <div class="picture" tabindex="0">
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
      border: 1px solid var(--line); border-radius: 8px; touch-action: none; cursor: grab; }
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
      const show = () => picture.setAttribute('viewBox', view.join(' '));
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
        event.preventDefault();
        const at = place(event);
        zoom(Math.exp(-event.deltaY / 400), at.x, at.y);
      }, { passive: false });
      const held = new Map();
      frame.addEventListener('pointerdown', (event) => {
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
        } else {
          view[0] -= (event.clientX - last.clientX) * scale();
          view[1] -= (event.clientY - last.clientY) * scale();
          show();
        }
        held.set(event.pointerId, event);
      });
      frame.querySelectorAll('button').forEach((button) => button.addEventListener('click', () => {
        const by = Number(button.dataset.zoom);
        if (by === 0) { view = whole.slice(); show(); }
        else zoom(by, view[0] + view[2] / 2, view[1] + view[3] / 2);
      }));
      const find = () => {
        const box = /^#box-[0-9]+$/.test(location.hash) && document.querySelector(location.hash);
        if (!box) return;
        const bounds = box.getBBox();
        const middle = new DOMPoint(bounds.width / 2, bounds.height / 2).matrixTransform(
          picture.getScreenCTM().inverse().multiply(box.getScreenCTM()));
        const wide = Math.min(Math.max(bounds.width * 4, 700), frame.clientWidth * 1.1);
        const width = Math.min(whole[2], Math.max(bounds.width * 1.2, wide));
        const height = width * frame.clientHeight / frame.clientWidth;
        view = [middle.x - width / 2, middle.y - height / 2, width, height];
        show();
        frame.scrollIntoView({ block: 'nearest' });
      };
      window.addEventListener('hashchange', find);
      find();
    }
    const search = document.querySelector('input[type=search]');
    if (search) search.addEventListener('input', () => {
      const text = search.value.toLowerCase();
      document.querySelectorAll('.names li').forEach((item) => {
        item.hidden = !item.textContent.toLowerCase().includes(text);
      });
    });
    """
